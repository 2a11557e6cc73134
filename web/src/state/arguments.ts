import { InexactJsonError, parseExact } from '../../../contracts/constants/exact-json.js';
import type { JsonObject } from '../../../contracts/primitives.js';

/** What an edited text of arguments is: an object, or why it is none. */
export function argumentsIn(text: string): {
  readonly value?: JsonObject;
  readonly fault?: string;
} {
  try {
    const value = parseExact(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { value: value as JsonObject } : { fault: 'Arguments are an object: { … }' };
  } catch (error) {
    if (error instanceof InexactJsonError) return { fault: error.fault.detail };
    return { fault: 'This is not JSON yet: a quote, a comma or a bracket is missing or too much.' };
  }
}
