import { exactNumber } from '../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { visible, visibleLine } from '../../contracts/constants/visible-text.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { cutLabels, numberedIfCut } from '../../domain/kernel/shown-text.js';
import { plain } from './plain.js';

/** What somebody entered into one field, as Slack says it. */
export type Entered = Readonly<Record<string, unknown>>;

/** A field in Slack, and what it was filled with. */
export interface Input {
  /** The element of Slack, without its id. */
  readonly element: JsonObject;
  /** In full and by number what its options do not say in full, at most what one section holds. */
  readonly list?: string;
  /** Undefined if nothing was entered. */
  readonly read: (entered: Entered) => JsonValue | undefined;
}

/** One of what can be chosen. */
export interface Option {
  readonly value: JsonValue;
  readonly label: string;
}

const MOST_OPTIONS = 100;
const OPTION_CHARACTERS = 75;
/** What one section holds. */
export const LIST_CHARACTERS = 3_000;
const TEXT_CHARACTERS = 3_000;

/** The field for a value of this schema; undefined if Slack has none for it. */
export function inputOf({ type, format, enum: values, items }: JsonObject): Input | undefined {
  if (Array.isArray(values)) return optionsOf(values as readonly JsonValue[], selectOf);
  switch (type) {
    case 'boolean':
      return selectOf([
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ]);
    case 'integer':
    case 'number':
      return numberInput(type === 'number');
    case 'string':
      return stringInput(format);
    case 'array': {
      const listed = isObject(items) ? (items as JsonObject)['enum'] : undefined;
      return Array.isArray(listed)
        ? optionsOf(listed as readonly JsonValue[], selectSomeOf)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** A text of one line, or of several. */
export function textInput(multiline: boolean): Input {
  return {
    element: { type: 'plain_text_input', multiline, max_length: TEXT_CHARACTERS },
    read: ({ value }) => textIn(value),
  };
}

/** A choice of one; undefined if there are more than Slack lists, or too long ones. Options are known by their position, so that no value has to be short. */
export function selectOf(options: readonly Option[]): Input | undefined {
  const listed = listedOptions(options);
  return (
    listed && {
      ...listIn(listed),
      element: { type: 'static_select', options: listed.options },
      read: ({ selected_option: selected }) => chosenOf(options, selected),
    }
  );
}

function selectSomeOf(options: readonly Option[]): Input | undefined {
  const listed = listedOptions(options);
  return (
    listed && {
      ...listIn(listed),
      element: { type: 'multi_static_select', options: listed.options },
      read({ selected_options: selected }) {
        const all: readonly unknown[] = Array.isArray(selected) ? selected : [];
        const chosen = all.flatMap((one) => chosenOf(options, one) ?? []);
        return chosen.length === 0 ? undefined : chosen;
      },
    }
  );
}

function optionsOf(
  values: readonly JsonValue[],
  make: (options: readonly Option[]) => Input | undefined,
): Input | undefined {
  return make(values.map((value) => ({ value, label: labelOf(value) })));
}

function labelOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Listed {
  readonly options: readonly JsonObject[];
  readonly list: string;
}

function listedOptions(options: readonly Option[]): Listed | undefined {
  if (options.length === 0 || options.length > MOST_OPTIONS) return undefined;
  const labels = options.map(({ label }) => visibleLine(label));
  const list = cutLabels(labels, OPTION_CHARACTERS);
  if (visible(list).length > LIST_CHARACTERS) return undefined;
  return {
    options: labels.map((label, index) => ({
      text: plain(numberedIfCut(label, index, OPTION_CHARACTERS), OPTION_CHARACTERS),
      value: String(index),
    })),
    list,
  };
}

function listIn({ list }: Listed): Pick<Input, 'list'> {
  return list === '' ? {} : { list };
}

function chosenOf(options: readonly Option[], selected: unknown): JsonValue | undefined {
  if (!isObject(selected)) return undefined;
  return options[Number((selected as JsonObject)['value'])]?.value;
}

/** A number that a double does not hold is left as it was typed. */
function numberInput(is_decimal_allowed: boolean): Input {
  return {
    element: { type: 'number_input', is_decimal_allowed },
    read({ value }) {
      const text = textIn(value);
      return text === undefined ? undefined : (exactNumber(text) ?? text);
    },
  };
}

function stringInput(format: JsonValue | undefined): Input {
  if (format === 'date') {
    return { element: { type: 'datepicker' }, read: (entered) => textIn(entered['selected_date']) };
  }
  const { element, read } = textInput(false);
  if (format === 'email') return { element: { type: 'email_text_input' }, read };
  if (format === 'uri') return { element: { type: 'url_text_input' }, read };
  return { element, read };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
