import { exactNumber } from '../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isBlank, visible, visibleLine } from '../../contracts/constants/visible-text.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { cutLabels, cutUnits, numberedIfCut } from '../../domain/kernel/shown-text.js';
import { flatSchema, hasConditions, listed } from '../../domain/schema/flat.js';
import { optionsOf, withoutNull, type Option as Named } from '../../domain/schema/options.js';
import type { SlackEntered } from '../../contracts/channel/slack.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { fieldSchema, listedFields } from '../../domain/suspension/form/form-schema.js';
import { isDangerous } from '../../domain/suspension/form/once-more.js';
import { validChoices } from '../../domain/suspension/answering/response.js';

/** The entry in one field, in the form of Slack. */
type Entered = Readonly<Record<string, unknown>>;

interface Input {
  /** The element of Slack, without its id. */
  readonly element: JsonObject;
  /** A numbered list, in full, of the options that are shown cut; it fits one section. */
  readonly list?: string;
  readonly read: (entered: Entered) => JsonValue | undefined;
}

export type Option = Pick<Named, 'value' | 'label'>;

const MOST_OPTIONS = 100;
const OPTION_CHARACTERS = 75;
const LIST_CHARACTERS = 3_000;
const TEXT_CHARACTERS = 3_000;

/**
 * Returns the field for a value of this schema; undefined if only the inbox has such a field.
 *
 * @param root - where `$ref` is looked up
 */
function inputOf(schema: JsonObject, root: JsonObject, isRequired: boolean): Input | undefined {
  const flat = hasConditions(schema, root) ? undefined : flatSchema(schema, root);
  if (flat === undefined) return undefined;
  const { schema: given, isNullable } = withoutNull(flat, root);
  const options = optionsOf(flat, root) ?? optionsOf(given, root);
  if (options) return selectOf(isNullable ? withNone(options) : options);
  // A required field cannot be left empty to say null.
  if (isNullable && isRequired) return undefined;
  if ('oneOf' in given || 'anyOf' in given) return undefined;
  switch (given['type']) {
    case 'integer':
    case 'number':
      return numberInput(given['type'] === 'number');
    case 'string':
      return stringInput(given['format']);
    case 'array':
      return severalInput(given, root);
    default:
      return undefined;
  }
}

function withNone(options: readonly Option[]): readonly Option[] {
  const has = options.some(({ value }) => value === null);
  return has ? options : [...options, { value: null, label: 'None (null)' }];
}

function severalInput({ items, prefixItems }: JsonObject, root: JsonObject): Input | undefined {
  if (prefixItems !== undefined || !isObject(items)) return undefined;
  const options = optionsOf(items, root);
  return options && selectSomeOf(options);
}

function textInput(multiline: boolean): Input {
  return {
    element: { type: 'plain_text_input', multiline, max_length: TEXT_CHARACTERS },
    read: ({ value }) => textIn(value),
  };
}

/**
 * Returns a field to choose one option, by its position so that values may be long; undefined if Slack cannot list
 * them.
 */
function selectOf(options: readonly Option[]): Input | undefined {
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
        const chosen = all.flatMap((one) => {
          const value = chosenOf(options, one);
          return value === undefined ? [] : [value];
        });
        return chosen.length === 0 ? undefined : chosen;
      },
    }
  );
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

/** Returns a field for a number; a number that a double cannot hold stays a text. */
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
  // A text with a format has no line break.
  const { element, read } = textInput(format === undefined);
  if (format === 'email') return { element: { type: 'email_text_input' }, read };
  if (format === 'uri') return { element: { type: 'url_text_input' }, read };
  return { element, read };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && !isBlank(value) ? value : undefined;
}

/** Returns a text that Slack shows as it is: without links, mentions, markup and characters that hide others. */
export function plain(text: string, most: number): JsonObject {
  return { type: 'plain_text', text: cutUnits(visible(text), most), emoji: false };
}

export interface FormField extends Input {
  /** The name of this entry in the entered value. */
  readonly name: string;
  /** Whether the value of the field is the whole answer. */
  readonly isWhole?: true;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional: boolean;
}

const MOST_FIELDS = 40;
const LABEL_CHARACTERS = 2_000;

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'response_schema' | 'context'>;

/**
 * Returns the fields by which a question is answered, or that come with a choice. Undefined if only the inbox has
 * such fields: also for data beside an open choice, and for a list with a choice that needs a confirmation.
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

function namesIn({ required, dependentRequired }: JsonObject): readonly string[] {
  const dependent = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  const names = [required, ...dependent].flatMap(listed);
  return names.filter((name) => typeof name === 'string');
}

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

function shownName(name: string): string {
  return isBlank(name) ? JSON.stringify(name) : name;
}

const blockId = (index: number): string => `field-${index}`;
const ELEMENT = 'value';

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

export function enteredIn(fields: readonly FormField[], values: SlackEntered): JsonValue {
  const entered = fields.flatMap(({ name, read }, index) => {
    const value = read(values[blockId(index)]?.[ELEMENT] ?? {});
    return value === undefined ? [] : [[name, value] as const];
  });
  if (fields[0]?.isWhole) return entered[0]?.[1] ?? '';
  return Object.fromEntries(entered);
}

export function inexactField(
  fields: readonly FormField[],
  values: SlackEntered,
): FormField | undefined {
  return fields.find(({ element, read }, index) => {
    const value = read(values[blockId(index)]?.[ELEMENT] ?? {});
    return element['type'] === 'number_input' && typeof value === 'string';
  });
}

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
