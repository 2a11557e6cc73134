import { exactNumber } from '../../../contracts/constants/exact-json.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { isObject } from '../../kernel/message-form.js';

const TYPES: Readonly<Record<string, JsonObject>> = {
  text: { type: 'string' },
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
};
const TEXT: JsonObject = { type: 'string' };

export type ListedField = readonly [name: string, field: JsonObject];

/** Returns the fields that `context.fields` lists; undefined if one is no object or lacks a visible, unique name. */
export function listedFields(listed: JsonValue | undefined): readonly ListedField[] | undefined {
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  const fields = new Map<string, JsonObject>();
  for (const field of listed as readonly JsonValue[]) {
    if (!isObject(field)) return undefined;
    const { name } = field as JsonObject;
    if (typeof name !== 'string' || isBlank(name) || fields.has(name)) return undefined;
    fields.set(name, field);
  }
  return [...fields];
}

/** Returns the schema of a field in `context.fields`: label, type, description, and options of that type. */
export function fieldSchema({ label, type, description, options }: JsonObject): JsonObject {
  const known = typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return {
    ...(Array.isArray(options) && options.length > 0
      ? chosenOf(options as readonly JsonValue[], known)
      : (known ?? TEXT)),
    ...(typeof label === 'string' && { title: label }),
    ...(typeof description === 'string' && { description }),
  };
}

/** A choice of options: converted to the type of the field if that is possible for all, else unchanged. */
function chosenOf(options: readonly JsonValue[], known: JsonObject | undefined): JsonObject {
  const type = known?.['type'] ?? 'string';
  const typed = options.map((option) => (known ? asType(option, type) : option));
  const isTyped = typed.every((option) => option !== undefined && isOf(option, type));
  const values = (isTyped ? typed : options) as readonly JsonValue[];
  const texts = values.map((value) => JSON.stringify(value));
  const once = values.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  return { ...(isTyped && (known ?? TEXT)), enum: once };
}

function isOf(value: JsonValue, type: JsonValue): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** Converts an option to a type; undefined if that is impossible. */
function asType(option: JsonValue, type: JsonValue): JsonValue | undefined {
  if (isOf(option, type)) return option;
  if (type === 'string') return typeof option === 'object' ? undefined : String(option);
  if (typeof option !== 'string') return undefined;
  if (type === 'boolean') return option === 'true' || (option === 'false' ? false : undefined);
  return exactNumber(option);
}
