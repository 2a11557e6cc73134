import { readFile } from 'node:fs/promises';
import type { JsonObject, JsonValue, SuspensionView } from '../client/index.js';
import { isObject } from '../client/reply.js';
import { InexactJsonError, parseExact } from '../contracts/constants/exact-json.js';
import { isBlank } from '../contracts/constants/visible-text.js';
import type { SuspensionChoice } from '../contracts/suspension.js';
import { CliError, usage } from './failures.js';
import { oneLine } from './text.js';

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** A span such as `90`, `90s`, `15m`, `2h` or `1d`, in seconds. */
export function secondsIn(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * (SECONDS[unit] ?? NaN);
  if (digits === '' || !(seconds > 0)) {
    throw usage(`"${oneLine(text)}" is no span of time: write 90s, 15m, 2h or 1d.`);
  }
  return seconds;
}

/** A whole number of at least 1. */
export function countIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usage(`"${oneLine(text)}" is no number: write a whole number from 1 on.`);
}

/** An instant such as `2026-11-20T10:05:00Z`, in ms. */
export function instantIn(text: string): number {
  const hasZone = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = hasZone ? Date.parse(text) : NaN;
  if (!Number.isNaN(ms)) return ms;
  throw usage(`"${oneLine(text)}" is no instant: write 2026-11-20T10:05:00Z.`);
}

/**
 * Bytes as the text that they stand for.
 *
 * @param source - where they come from, for people
 * @throws CliError if they are no UTF-8, which would be read as another text
 */
export function wholeText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usage(`${source} is no text in UTF-8.`);
  }
}

/** The contents of a file; `-` is the standard input. */
export async function contentsOf(file: string, input: () => Promise<string>): Promise<string> {
  if (file === '-') return input();
  try {
    return wholeText(await readFile(file), file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw usage(`${file} cannot be read (${code}).`);
  }
}

/**
 * The value of a JSON text.
 *
 * @param name - the option that has it, for people
 * @throws CliError if a number or a name in it would be lost
 * @throws SyntaxError if it is no JSON
 */
function exactJson(text: string, name: string): JsonValue {
  try {
    return parseExact(text) as JsonValue;
  } catch (error) {
    throw error instanceof InexactJsonError ? usage(`${name}: ${error.fault.detail}`) : error;
  }
}

/** JSON, or with `@` before it the file that has it. */
export async function jsonIn(
  text: string,
  option: string,
  input: () => Promise<string>,
): Promise<JsonValue> {
  const json = text.startsWith('@') ? await contentsOf(text.slice(1), input) : text;
  try {
    return exactJson(json, option);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usage(`${option} is no JSON: write JSON, or @ and the file that has it.`);
  }
}

/** The same, and it has to be an object. */
export async function objectIn(
  text: string,
  option: string,
  input: () => Promise<string>,
): Promise<JsonObject> {
  const value = await jsonIn(text, option, input);
  if (isObject(value)) return value;
  throw usage(`${option} is JSON, but no object.`);
}

/** `value=label` pairs as choices; without a label the value is shown. What else a choice has is kept from one before. */
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

/** The two sides of `name=value`. */
export function splitAt(pair: string, option: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usage(`${option} "${oneLine(pair)}" has no name: write name=value.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/**
 * JSON as its value, any other text as itself.
 *
 * @param name - where it was typed, for people
 * @throws CliError if it is JSON of which a number or a name would be lost
 */
export function jsonOrText(text: string, name: string): JsonValue {
  try {
    return exactJson(text, name);
  } catch (error) {
    if (error instanceof CliError) throw error;
    return text;
  }
}

/** Refuses a text as an answer of which nobody would see anything. Choices may be called anything. */
export function refuseBlank(
  { record }: { readonly record: Pick<SuspensionView['record'], 'response_type' | 'choices'> },
  value: JsonValue,
): void {
  const { response_type, choices = [] } = record;
  const isText = response_type === 'text' || (response_type === 'choice' && choices.length === 0);
  if (!isText || typeof value !== 'string' || !isBlank(value)) return;
  throw usage('The answer is blank, so nobody would see it: write a text.');
}
