import {
  InexactJsonError,
  exactNumber,
  numberFault,
  parseExact,
} from '../../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { isJsonObject } from '../../../domain/kernel/json.js';

/** A value that somebody typed, or the reason why the text is none. */
export interface Typed {
  readonly value?: JsonValue;
  readonly fault?: string;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const NOT_YET = 'This is not JSON yet: a quote, a comma or a bracket is missing or extra.';
const DATE_AND_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const TIME = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const MINUTES = 60;

/** Reads a number as JSON writes it; an empty text has neither a value nor a fault. */
export function numberIn(text: string): Typed {
  const typed = text.trim();
  if (typed === '') return {};
  if (!NUMBER.test(typed)) return { fault: 'This is not a number: write it as 1200.5' };
  const value = exactNumber(typed);
  return value === undefined ? { fault: numberFault([]).detail } : { value };
}

/** Reads a value as JSON; an empty text has neither a value nor a fault. */
export function jsonIn(text: string): Typed {
  if (text.trim() === '') return {};
  try {
    return { value: parseExact(text) as JsonValue };
  } catch (error) {
    return { fault: error instanceof InexactJsonError ? error.fault.detail : NOT_YET };
  }
}

/** Reads the edited arguments of a call, which have to be an object. */
export function argumentsIn(text: string): {
  readonly value?: JsonObject;
  readonly fault?: string;
} {
  const { value, fault = NOT_YET } = jsonIn(text);
  if (value === undefined) return { fault };
  return isJsonObject(value) ? { value } : { fault: 'Arguments are an object: { … }' };
}

/** Reads a text as its format wants it: a local date and time gets the offset of this machine from UTC. */
export function momentIn(format: string | undefined, text: string): Typed {
  if (format === 'date-time' && DATE_AND_TIME.test(text)) {
    return { value: `${withSeconds(text)}${offsetAt(new Date(text))}` };
  }
  if (format === 'time' && TIME.test(text)) {
    return { value: `${withSeconds(text)}${offsetAt(new Date())}` };
  }
  return { value: text };
}

function withSeconds(text: string): string {
  return /:\d\d:/.test(text) ? text : `${text}:00`;
}

function offsetAt(moment: Date): string {
  const minutes = -moment.getTimezoneOffset();
  if (minutes === 0) return 'Z';
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const away = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(away / MINUTES)}:${two(away % MINUTES)}`;
}
