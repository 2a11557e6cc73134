import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { SlackEntered } from '../../contracts/channel/slack-interaction.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { flatSchema, hasConditions, listed } from '../../domain/schema/flat.js';
import { fieldSchema, listedFields } from '../../domain/suspension/form/form-schema.js';
import { isDangerous } from '../../domain/suspension/form/once-more.js';
import { validChoices } from '../../domain/suspension/answering/response.js';
import { LIST_CHARACTERS, inputOf, plain, selectOf, textInput } from './inputs.js';
import type { Entered, Input } from './inputs.js';

/** One field of a form in Slack. */
export interface FormField extends Input {
  /** Its name in the value that is entered. */
  readonly name: string;
  /** Whether the field alone is the whole value. */
  readonly isWhole?: true;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional: boolean;
}

const MOST_FIELDS = 40;
const LABEL_CHARACTERS = 2_000;

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'response_schema' | 'context'>;

/**
 * Returns the fields by which a question is answered, or that come with a choice. Undefined if only the inbox has such
 * fields: also for data beside an answer that is not chosen yet, and for a list with a choice that needs a confirmation.
 */
export function fieldsOf(record: Asked, isChosen: boolean): readonly FormField[] | undefined {
  if (record.response_type === 'form' || isChosen) return formFields(record);
  if (takesData(record)) return undefined;
  const whole = { name: '', isWhole: true, label: 'Your answer', isOptional: false } as const;
  const choices = validChoices(record);
  if (choices.some(isDangerous)) return undefined;
  const input = choices.length === 0 ? textInput(true) : selectOf(choices);
  return input && [{ ...whole, ...input }];
}

/** Whether a choice needs more than a press: data that a schema describes. */
export function takesData({ response_type, response_schema }: Asked): boolean {
  return response_type !== 'form' && response_schema !== undefined;
}

function formFields({ response_schema, context }: Asked): readonly FormField[] | undefined {
  const fields = response_schema ? bySchema(response_schema) : ofContext(context?.['fields']);
  const isTooMuch = fields === undefined || fields.length === 0 || fields.length > MOST_FIELDS;
  return isTooMuch ? undefined : fields;
}

/** Keywords of a schema that permit parts whose names it does not give. */
const OTHER_PARTS = ['additionalProperties', 'patternProperties'];

/** Returns the fields of a schema, if each property is a single value. */
function bySchema(schema: JsonObject): readonly FormField[] | undefined {
  const flat = hasConditions(schema, schema) ? undefined : flatSchema(schema, schema);
  if (flat === undefined || OTHER_PARTS.some((name) => isObject(flat[name]))) return undefined;
  const { properties, required } = flat;
  if (!isObject(properties) || 'oneOf' in flat || 'anyOf' in flat) return undefined;
  const needed = listed(required);
  if (namesIn(flat).some((name) => !Object.hasOwn(properties, name))) return undefined;
  return whole(
    Object.entries(properties as JsonObject)
      .filter(([, property]) => property !== false)
      .map(([name, property]) =>
        isObject(property)
          ? fieldOf(name, property as JsonObject, needed.includes(name), schema)
          : undefined,
      ),
  );
}

/** Returns the names that a schema requires, always or with others. */
function namesIn({ required, dependentRequired }: JsonObject): readonly string[] {
  const dependent = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  const names = [required, ...dependent].flatMap(listed);
  return names.filter((name) => typeof name === 'string');
}

/** Returns the fields that a context lists. */
function ofContext(fields: JsonValue | undefined): readonly FormField[] | undefined {
  const all = listedFields(fields)?.map(([name, field]) => {
    const { options, required } = field;
    const isChosenOfNone = Array.isArray(options) && options.length === 0;
    return isChosenOfNone ? undefined : fieldOf(name, fieldSchema(field), required === true);
  });
  return all && whole(all);
}

/** Returns all fields or undefined: a form that lacks a field cannot be filled in. */
function whole(fields: readonly (FormField | undefined)[]): readonly FormField[] | undefined {
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? known : undefined;
}

function fieldOf(
  name: string,
  schema: JsonObject,
  isRequired: boolean,
  root = schema,
): FormField | undefined {
  const { title, description } = flatSchema(schema, root) ?? schema;
  const input = inputOf(schema, root, isRequired);
  return (
    input && {
      ...input,
      name,
      label: typeof title === 'string' && !isBlank(title) ? title : shownName(name),
      ...(typeof description === 'string' && description !== '' && { hint: description }),
      isOptional: !isRequired,
    }
  );
}

/** Returns a name, in quotes if it would be invisible. */
function shownName(name: string): string {
  return isBlank(name) ? JSON.stringify(name) : name;
}

const blockId = (index: number): string => `field-${index}`;
const ELEMENT = 'value';

/** Returns the blocks of a form, filled with earlier entries. */
export function formBlocks(
  fields: readonly FormField[],
  entered: SlackEntered = {},
): readonly JsonObject[] {
  return fields.flatMap((field, index) => [
    ...(field.list === undefined
      ? []
      : [{ type: 'section', text: plain(field.list, LIST_CHARACTERS) }]),
    inputBlock(field, index, entered),
  ]);
}

function inputBlock(
  { label, hint, isOptional, element }: FormField,
  index: number,
  entered: SlackEntered,
): JsonObject {
  return {
    type: 'input',
    block_id: blockId(index),
    optional: isOptional,
    label: plain(label, LABEL_CHARACTERS),
    ...(hint !== undefined && { hint: plain(hint, LABEL_CHARACTERS) }),
    element: {
      ...element,
      ...initialOf(element, entered[blockId(index)]?.[ELEMENT] ?? {}),
      action_id: ELEMENT,
    },
  };
}

/** Returns the value that was entered into a form. */
export function enteredIn(fields: readonly FormField[], values: SlackEntered): JsonValue {
  const entered = fields.flatMap(({ name, read }, index) => {
    const value = read(values[blockId(index)]?.[ELEMENT] ?? {});
    return value === undefined ? [] : [[name, value] as const];
  });
  if (fields[0]?.isWhole) return entered[0]?.[1] ?? '';
  return Object.fromEntries(entered);
}

/** Returns the first field whose number a double cannot hold. */
export function inexactField(
  fields: readonly FormField[],
  values: SlackEntered,
): FormField | undefined {
  return fields.find(({ element, read }, index) => {
    const value = read(values[blockId(index)]?.[ELEMENT] ?? {});
    return element['type'] === 'number_input' && typeof value === 'string';
  });
}

/** Returns the texts that somebody wrote into a form. */
export function typedIn(values: SlackEntered): readonly string[] {
  const entered = Object.values(values).flatMap((block) => Object.values(block));
  return entered.flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
}

/** Returns the block of the field that a refusal names; the first one if it names none. */
export function faultyBlock(fields: readonly FormField[], fault: string | undefined): string {
  const path = fault?.replace(/^(?:value|data)\./, '');
  const at = fields.findIndex(({ name }) => path?.match(/^[^.[]+/)?.[0] === name);
  return blockId(Math.max(at, 0));
}

/** Returns the properties that fill a field of Slack with an earlier entry. */
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

/** Returns the selected options as they are listed: Slack takes no others. */
function chosenIn(listed: readonly JsonValue[], selected: readonly unknown[]): JsonValue[] {
  const values = selected.map((one) => (isObject(one) ? (one as JsonObject)['value'] : undefined));
  return listed.filter((one) => isObject(one) && values.includes((one as JsonObject)['value']));
}

function textAs(name: string, value: unknown): JsonObject {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
}
