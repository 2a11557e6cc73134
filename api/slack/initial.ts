import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { isObject } from '../../domain/kernel/message-form.js';
import type { Entered } from './inputs.js';

/** What makes a field of Slack begin with what was entered into it before. */
export function initialOf({ type, options }: JsonObject, entered: Entered): JsonObject {
  const listed: readonly JsonValue[] = Array.isArray(options) ? (options as JsonValue[]) : [];
  switch (type) {
    case 'static_select': {
      const [initial_option] = chosenIn(listed, [entered['selected_option']]);
      return initial_option === undefined ? {} : { initial_option };
    }
    case 'multi_static_select': {
      const selected: unknown = entered['selected_options'];
      const initial_options = chosenIn(listed, Array.isArray(selected) ? selected : []);
      return initial_options.length === 0 ? {} : { initial_options };
    }
    case 'datepicker':
      return textAs('initial_date', entered['selected_date']);
    default:
      return textAs('initial_value', entered['value']);
  }
}

/** Options as they are listed: Slack takes no others. */
function chosenIn(listed: readonly JsonValue[], selected: readonly unknown[]): JsonValue[] {
  const values = selected.map((one) => (isObject(one) ? (one as JsonObject)['value'] : undefined));
  return listed.filter((one) => isObject(one) && values.includes((one as JsonObject)['value']));
}

function textAs(name: string, value: unknown): JsonObject {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
}
