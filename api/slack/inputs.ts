import { exactNumber } from '../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { isBlank, visible, visibleLine } from '../../contracts/constants/visible-text.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { cutLabels, cutUnits, numberedIfCut } from '../../domain/kernel/shown-text.js';
import { flatSchema, hasConditions } from '../../domain/schema/flat.js';
import { withoutNull } from '../../domain/schema/nullable.js';
import { optionsOf } from '../../domain/schema/options.js';
import type { Option as Named } from '../../domain/schema/options.js';

/** The entry in one field, in the form of Slack. */
export type Entered = Readonly<Record<string, unknown>>;

/** A field in Slack, and the reader of its entry. */
export interface Input {
  /** The element of Slack, without its id. */
  readonly element: JsonObject;
  /** A numbered list of the options that are shown cut, in full; it fits one section. */
  readonly list?: string;
  /** Undefined if nothing was entered. */
  readonly read: (entered: Entered) => JsonValue | undefined;
}

/** An option of a field. */
export type Option = Pick<Named, 'value' | 'label'>;

const MOST_OPTIONS = 100;
const OPTION_CHARACTERS = 75;
/** The most characters of one section. */
export const LIST_CHARACTERS = 3_000;
const TEXT_CHARACTERS = 3_000;

/**
 * Returns the field for a value of this schema; undefined if only the inbox has such a field.
 *
 * @param root - where `$ref` is looked up
 */
export function inputOf(
  schema: JsonObject,
  root: JsonObject,
  isRequired: boolean,
): Input | undefined {
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

/** Returns a field for a text of one line, or of several. */
export function textInput(multiline: boolean): Input {
  return {
    element: { type: 'plain_text_input', multiline, max_length: TEXT_CHARACTERS },
    read: ({ value }) => textIn(value),
  };
}

/**
 * Returns a field to choose one option; undefined if there are more options than Slack lists, or longer ones. Slack knows each
 * by its position, so that no value has to be short.
 */
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

/** A number that a double cannot hold stays a text. */
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
