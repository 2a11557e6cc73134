import { readFile } from 'node:fs/promises';
import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { isObject } from '../client/reply.js';
import { DURATION_FORMS, secondsOf } from '../contracts/constants/duration.js';
import { InexactJsonError, parseExact } from '../contracts/constants/exact-json.js';
import { isBlank } from '../contracts/constants/visible-text.js';
import type { SuspensionChoice } from '../contracts/suspension/suspension.js';
import { CliError, usage } from './failures.js';
import { oneLine } from './text.js';

/** Reads a duration, see `secondsOf`; returns whole seconds. */
export function secondsIn(text: string): number {
  const seconds = secondsOf(text);
  if (seconds !== undefined) return seconds;
  throw usage(`"${oneLine(text)}" is no duration: write ${DURATION_FORMS}.`);
}

export function countIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usage(`"${oneLine(text)}" is no number: write a whole number from 1 on.`);
}

/** Reads an instant such as `2026-11-20T10:05:00Z`; returns ms. */
export function instantIn(text: string): number {
  const hasZone = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = hasZone ? Date.parse(text) : NaN;
  if (!Number.isNaN(ms)) return ms;
  throw usage(`"${oneLine(text)}" is no instant: write 2026-11-20T10:05:00Z.`);
}

/**
 * Decodes a text.
 *
 * @param source - the origin of the bytes, for people
 * @throws CliError if they are not UTF-8
 */
export function wholeText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usage(`${source} is no text in UTF-8.`);
  }
}

interface Source {
  input(): Promise<string>;
}

/** Reads a file; `-` is the standard input. */
export async function contentsOf(file: string, stdin: Source): Promise<string> {
  if (file === '-') return stdin.input();
  try {
    return wholeText(await readFile(file), file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw usage(`${file} cannot be read (${code}).`);
  }
}

/**
 * Parses a JSON text.
 *
 * @param name - its option, for people
 * @throws CliError if it cannot be read exactly
 * @throws SyntaxError if it is no JSON
 */
function exactJson(text: string, name: string): JsonValue {
  try {
    return parseExact(text) as JsonValue;
  } catch (error) {
    throw error instanceof InexactJsonError ? usage(`${name}: ${error.fault.detail}`) : error;
  }
}

/** Reads a JSON object: the text itself, or with `@` the file that has it. */
export async function objectIn(text: string, option: string, stdin: Source): Promise<JsonObject> {
  const json = text.startsWith('@') ? await contentsOf(text.slice(1), stdin) : text;
  let value: JsonValue;
  try {
    value = exactJson(json, option);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usage(`${option} is no JSON: write JSON, or @ and the file that has it.`);
  }
  if (isObject(value)) return value;
  throw usage(`${option} is JSON, but no object.`);
}

export async function objectGiven(
  text: string | undefined,
  option: string,
  stdin: Source,
): Promise<JsonObject | undefined> {
  return text === undefined ? undefined : objectIn(text, option, stdin);
}

/** Reads `value=label` pairs as choices; the label is the value by default. Other fields are kept from the choice before. */
export function choicesIn(
  pairs: readonly string[],
  before: readonly SuspensionChoice[] = [],
): SuspensionChoice[] {
  return pairs.map((one) => {
    const [value = one, ...label] = one.split('=');
    const same = before.find((choice) => choice.value === value);
    return { ...same, value, label: label.join('=') || (same?.label ?? value) };
  });
}

/** Returns a text quoted as one word of a shell. */
export function quotedForShell(text: string): string {
  return /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the two sides of `name=value`. */
export function splitAt(pair: string, option: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usage(`${option} "${oneLine(pair)}" has no name: write name=value.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/**
 * Returns JSON as its value, any other text as itself.
 *
 * @param name - its option, for people
 * @throws CliError if it is JSON that cannot be read exactly
 */
export function jsonOrText(text: string, name: string): JsonValue {
  try {
    return exactJson(text, name);
  } catch (error) {
    if (error instanceof CliError) throw error;
    return text;
  }
}

/** Refuses an invisible text as an answer. Choices may have any name. */
export function refuseBlank(
  { record }: { readonly record: Pick<SuspensionView['record'], 'response_type' | 'choices'> },
  value: JsonValue,
): void {
  const { response_type, choices = [] } = record;
  const isText = response_type === 'text' || (response_type === 'choice' && choices.length === 0);
  if (!isText || typeof value !== 'string' || !isBlank(value)) return;
  throw usage('The answer is blank, so nobody would see it: write a text.');
}
