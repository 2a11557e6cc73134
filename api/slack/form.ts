import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { SlackEntered } from '../../contracts/slack-interaction.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { flatSchema, hasConditions, listed } from '../../domain/schema/flat.js';
import { fieldSchema, listedFields } from '../../domain/suspension/form-schema.js';
import { isDangerous } from '../../domain/suspension/once-more.js';
import { validChoices } from '../../domain/suspension/response.js';
import { initialOf } from './initial.js';
import { LIST_CHARACTERS, inputOf, selectOf, textInput } from './inputs.js';
import type { Input } from './inputs.js';
import { plain } from './plain.js';

/** One field of a form in Slack. */
export interface FormField extends Input {
  /** Where it stands in what is entered. */
  readonly name: string;
  /** It is all that is entered. */
  readonly isWhole?: true;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional: boolean;
}

const MOST_FIELDS = 40;
const LABEL_CHARACTERS = 2_000;

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'response_schema' | 'context'>;

/**
 * The fields by which a question is answered, or that come with a choice; undefined if Slack has no fields for it, so that
 * the inbox has to do: also for data beside an answer that is not chosen yet, and for a list of which a choice would have to
 * ask once more.
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

/** Whether a choice takes more than a press: data that a schema describes. */
export function takesData({ response_type, response_schema }: Asked): boolean {
  return response_type !== 'form' && response_schema !== undefined;
}

function formFields({ response_schema, context }: Asked): readonly FormField[] | undefined {
  const fields = response_schema ? bySchema(response_schema) : ofContext(context?.['fields']);
  const isTooMuch = fields === undefined || fields.length === 0 || fields.length > MOST_FIELDS;
  return isTooMuch ? undefined : fields;
}

/** What takes parts whose names the schema does not give. */
const OTHER_PARTS = ['additionalProperties', 'patternProperties'];

/** The properties of a schema, if each of them is a single value. */
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

/** What has to be there, perhaps with others. */
function namesIn({ required, dependentRequired }: JsonObject): readonly string[] {
  const dependent = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  const names = [required, ...dependent].flatMap(listed);
  return names.filter((name) => typeof name === 'string');
}

/** The fields that a context lists: each has a name, and perhaps label, type, options and whether it is required. */
function ofContext(fields: JsonValue | undefined): readonly FormField[] | undefined {
  const all = listedFields(fields)?.map(([name, field]) => {
    const { options, required } = field;
    const isChosenOfNone = Array.isArray(options) && options.length === 0;
    return isChosenOfNone ? undefined : fieldOf(name, fieldSchema(field), required === true);
  });
  return all && whole(all);
}

/** All of them, or nothing: a form that lacks a field cannot be filled in. */
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

/** A name: in quotes if nobody would see it. */
function shownName(name: string): string {
  return isBlank(name) ? JSON.stringify(name) : name;
}

const blockId = (index: number): string => `field-${index}`;
const ELEMENT = 'value';

/** The blocks of a form, with what was entered before. */
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

/** What was entered into a form. */
export function enteredIn(fields: readonly FormField[], values: SlackEntered): JsonValue {
  const entered = fields.flatMap(({ name, read }, index) => {
    const value = read(values[blockId(index)]?.[ELEMENT] ?? {});
    return value === undefined ? [] : [[name, value] as const];
  });
  if (fields[0]?.isWhole) return entered[0]?.[1] ?? '';
  return Object.fromEntries(entered);
}

/** The first field whose number would become another one. */
export function inexactField(
  fields: readonly FormField[],
  values: SlackEntered,
): FormField | undefined {
  return fields.find(({ element, read }, index) => {
    const value = read(values[blockId(index)]?.[ELEMENT] ?? {});
    return element['type'] === 'number_input' && typeof value === 'string';
  });
}

/** The texts that were written into a form. */
export function typedIn(values: SlackEntered): readonly string[] {
  const entered = Object.values(values).flatMap((block) => Object.values(block));
  return entered.flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
}

/** The block of the field that a refusal is about; the first one if it names none of them. */
export function faultyBlock(fields: readonly FormField[], fault: string | undefined): string {
  const path = fault?.replace(/^(?:value|data)\./, '');
  const at = fields.findIndex(({ name }) => path?.match(/^[^.[]+/)?.[0] === name);
  return blockId(Math.max(at, 0));
}
