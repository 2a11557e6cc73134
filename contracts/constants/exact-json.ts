import { cutPath, fieldPath } from './field-path.js';
import { LIMITS } from './limits.js';

/*
 * Parses JSON without silent changes: JSON.parse rounds numbers to doubles and keeps the last of equal names. It
 * works on the text, because revivers in Node 20 do not get the source.
 */

const JSON_DEPTH: number = LIMITS.argumentsDepth;

/** A part of a JSON text that reading would change. */
export interface JsonFault {
  readonly path: readonly (string | number)[];
  /** The path as text; empty for the whole value. */
  readonly field: string;
  readonly accepted: string;
  readonly detail: string;
}

/** Thrown for a JSON text that reading would change. */
export class InexactJsonError extends Error {
  override readonly name: string = 'InexactJsonError';
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/**
 * Parses a JSON text. Use it for every text from a person or a program.
 *
 * @param depth - how deep its values may be nested
 * @throws SyntaxError if it is no JSON
 * @throws InexactJsonError if a number or a name in it would be lost, or if it is nested too deep
 */
export function parseExact(text: string, depth = JSON_DEPTH): unknown {
  const value: unknown = JSON.parse(text);
  const fault = faultInJson(text, depth);
  if (fault !== undefined) throw new InexactJsonError(fault);
  return value;
}

/**
 * Writes a value as JSON, but refuses numbers that JSON cannot represent, which would become null.
 *
 * @throws TypeError for NaN, the infinities and a BigInt
 */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (typeof part !== 'number' || Number.isFinite(part)) return part;
    throw new TypeError(
      `JSON has no ${String(part)}: ${name === '' ? 'the value' : name} is none of its numbers.`,
    );
  });
}

/** Why `parseExact` rejected a text, to follow the name of its source in a message. */
export function whyUnread(error: unknown): string {
  return error instanceof InexactJsonError
    ? `is not kept as it is written: ${error.fault.detail}`
    : 'is not JSON';
}

const DECIMAL = /^([-+]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/**
 * The digits of a decimal without leading and trailing zeros, and the power of ten of the last one. Zero has no
 * digits.
 */
function decimalOf(text: string) {
  const [, sign = '', whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  const all = whole + fraction;
  let from = 0;
  while (all[from] === '0') from += 1;
  let to = all.length;
  while (to > from && all[to - 1] === '0') to -= 1;
  const exponent = Number(power) - fraction.length + (all.length - to);
  const digits = all.slice(from, to);
  return {
    digits,
    exponent: digits === '' ? 0 : exponent,
    isNegative: sign === '-' && digits !== '',
  };
}

/**
 * Whether a number has the same value as its decimal text, compared by digits and exponent. True for 0.1, 1.50, 1E+2
 * and every number that a program prints from a double; false for 9007199254740993 and 1e-400. -0 counts as 0.
 */
export function isExactNumber(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const kept = String(number);
  if (kept === text) return true;
  if (!DECIMAL.test(text)) return false;
  const [a, b] = [decimalOf(text), decimalOf(kept)];
  return a.digits === b.digits && a.exponent === b.exponent && a.isNegative === b.isNegative;
}

/** The number that a text writes in digits; undefined for other texts, and for a number that would be changed. */
export function exactNumber(text: string): number | undefined {
  return isExactNumber(text) ? Number(text) : undefined;
}

/** The advice for a number that would be changed. */
const EXACT_NUMBER = 'a number that a double holds exactly, or the same digits as text';

type Path = JsonFault['path'];

export function numberFault(path: Path): JsonFault {
  const field = fieldPath(path);
  const detail = `${field === '' ? 'The number' : field} would be kept as another number: send it as text.`;
  return { path, field, accepted: EXACT_NUMBER, detail };
}

function nameFault(path: Path): JsonFault {
  const field = fieldPath(path);
  return {
    path,
    field,
    accepted: 'each name once in an object',
    detail: `${field} stands twice in its object, and only one of the two could be kept.`,
  };
}

function depthFault(path: Path, depth: number): JsonFault {
  const accepted = `at most ${depth} levels of nesting`;
  return {
    path,
    field: fieldPath(path),
    accepted,
    detail: `The JSON is nested too deep: use ${accepted}.`,
  };
}

interface Open {
  /** The names so far; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** The name or index of the next or current value. */
  at: string | number;
  isNameNext: boolean;
}

/** Goes through a text that is JSON, once and without recursion. */
class Scanner {
  readonly #text: string;
  readonly #open: Open[] = [];
  readonly #depth: number;
  /** Not shared between scanners, because it has a position. */
  readonly #numbers = /[-+.\deE]+/y;
  #at = 0;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  fault(): JsonFault | undefined {
    while (this.#at < this.#text.length) {
      const fault = this.#step(this.#text.charAt(this.#at));
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #step(character: string): JsonFault | undefined {
    const isTooDeep = this.#open.length > this.#depth && !/[\s\]}]/.test(character);
    if (isTooDeep) return depthFault(this.#path(this.#open.slice(0, -1)), this.#depth);
    if (character === '"') return this.#string();
    if (character === '-' || (character >= '0' && character <= '9')) return this.#number();
    this.#at += 1;
    switch (character) {
      case '{':
      case '[':
        this.#enter(character === '{');
        return undefined;
      case '}':
      case ']':
        this.#open.pop();
        return undefined;
      case ',':
        this.#goOn();
        return undefined;
      default:
        return undefined;
    }
  }

  #enter(isObject: boolean): void {
    this.#open.push(
      isObject
        ? { names: new Set(), at: '', isNameNext: true }
        : { names: undefined, at: 0, isNameNext: false },
    );
  }

  #goOn(): void {
    const inner = this.#open.at(-1);
    if (inner === undefined) return;
    if (typeof inner.at === 'number') inner.at += 1;
    else inner.isNameNext = true;
  }

  #string(): JsonFault | undefined {
    const start = this.#at;
    this.#at = endOfString(this.#text, start);
    const inner = this.#open.at(-1);
    if (inner?.isNameNext !== true) return undefined;
    const name = nameOf(this.#text.slice(start, this.#at));
    inner.at = name;
    inner.isNameNext = false;
    if (inner.names?.has(name)) return nameFault(this.#path());
    inner.names?.add(name);
    return undefined;
  }

  #number(): JsonFault | undefined {
    this.#numbers.lastIndex = this.#at;
    this.#numbers.test(this.#text);
    const text = this.#text.slice(this.#at, this.#numbers.lastIndex);
    this.#at += text.length;
    return isExactNumber(text) ? undefined : numberFault(this.#path());
  }

  #path(open = this.#open): Path {
    return cutPath(open.map(({ at }) => at));
  }
}

/** Decodes a JSON string that is a name. */
function nameOf(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** The position after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** The first number or name of a JSON text that would be lost; undefined if all of it is kept. */
function faultInJson(text: string, depth: number): JsonFault | undefined {
  return new Scanner(text, depth).fault();
}
