import {
  InexactJsonError,
  exactNumber,
  numberFault,
  parseExact,
} from '../../../contracts/constants/exact-json.js';
import type { JsonValue } from '../../../contracts/primitives.js';

/** A value that somebody typed, or why it is none. */
export interface Typed {
  readonly value?: JsonValue;
  readonly fault?: string;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const NOT_YET = 'This is not JSON yet: a quote, a comma or a bracket is missing or too much.';
const DATE_AND_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const TIME = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const MINUTES = 60;

/** A number as JSON writes it; nothing where nothing is typed. */
export function numberIn(text: string): Typed {
  const typed = text.trim();
  if (typed === '') return {};
  if (!NUMBER.test(typed)) return { fault: 'This is no number: write it as 1200.5' };
  const value = exactNumber(typed);
  return value === undefined ? { fault: numberFault([]).detail } : { value };
}

/** A value as JSON; nothing where nothing is typed. */
export function jsonIn(text: string): Typed {
  if (text.trim() === '') return {};
  try {
    return { value: parseExact(text) as JsonValue };
  } catch (error) {
    return { fault: error instanceof InexactJsonError ? error.fault.detail : NOT_YET };
  }
}

/** A text as its format wants it: a moment from a clock of this machine goes with how far that is from UTC. */
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
