import type { JsonObject, JsonValue } from '../../contracts/primitives.js';

const TYPES: Readonly<Record<string, JsonObject>> = {
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
};
const TEXT: JsonObject = { type: 'string' };

/** The schema of one field that `context.fields` describes: its label, type, description, and perhaps options. */
export function fieldSchema({ label, type, description, options }: JsonObject): JsonObject {
  const isKnown = typeof type === 'string' && Object.hasOwn(TYPES, type);
  return {
    ...(isKnown ? TYPES[type] : TEXT),
    ...(typeof label === 'string' && { title: label }),
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(options) && options.length > 0 && { enum: options as JsonValue }),
  };
}
