import {
  InexactJsonError,
  exactNumber,
  numberFault,
  parseExact,
} from '../../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { isJsonObject } from '../../../domain/kernel/json.js';
import { isBlank, visibleJson } from '../../../contracts/constants/visible-text.js';
import { enteredAs, partsIn, type Field, type GroupField, type ListField } from './field.js';

interface Typed {
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

export interface Fault {
  readonly path: readonly string[];
  readonly detail: string;
  /** A required part was not entered. */
  readonly isMissing?: true;
}

interface Reading {
  readonly value?: JsonValue;
  readonly faults: readonly Fault[];
}

const OUT: Reading = { faults: [] };

/** Reads the value of a field: what somebody entered, a default of the schema, or a constant of the chosen branch. */
export function readField(field: Field, path: readonly string[] = []): Reading {
  if (field.isNullable && isNull(field)) return { value: null, faults: [] };
  const reading = byKind(field, path);
  if (reading.value !== undefined || reading.faults.length > 0 || !field.isRequired) return reading;
  return { faults: [{ path, detail: 'Required.', isMissing: true }] };
}

function isNull({ entered, preset }: Field): boolean {
  return entered === undefined ? preset === null : entered === null;
}

function byKind(field: Field, path: readonly string[]): Reading {
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'json':
      return readTyped(field, path);
    case 'tick':
      return valueOf(tickedIn(field));
    case 'choice':
      return valueOf(chosenIn(field)?.value);
    case 'several':
      return readSeveral(field);
    case 'list':
      return readList(field, path);
    case 'group':
      return readGroup(field, path);
    case 'union':
      return field.inner ? readField(field.inner, path) : OUT;
    case 'fixed':
      return valueOf(field.value);
  }
}

function valueOf(value: JsonValue | undefined): Reading {
  return value === undefined ? OUT : { value, faults: [] };
}

/** Whether a box is ticked; undefined if neither somebody nor a default says so. */
export function tickedIn({ entered, preset }: Field): boolean | undefined {
  const value = entered === undefined ? preset : entered;
  return typeof value === 'boolean' ? value : undefined;
}

function typed({ value, fault }: Typed, path: readonly string[]): Reading {
  return fault === undefined ? valueOf(value) : { faults: [{ path, detail: fault }] };
}

export function shownText({ entered, preset, kind }: Field): string {
  if (typeof entered === 'string') return entered;
  if (entered !== undefined || preset === undefined) return '';
  if (kind === 'json') return visibleJson(JSON.stringify(preset, null, 2));
  if (preset === null) return '';
  return typeof preset === 'string' ? preset : JSON.stringify(preset);
}

function readTyped(
  field: Extract<Field, { kind: 'text' | 'number' | 'json' }>,
  path: readonly string[],
): Reading {
  const { entered, preset, kind } = field;
  // A default is sent as it is, not as the text that shows it.
  if (entered === undefined)
    return valueOf(preset === null && kind !== 'json' ? undefined : preset);
  const text = shownText(field);
  if (kind === 'number') return typed(numberIn(text), path);
  if (kind === 'json') return typed(jsonIn(text), path);
  if (text === preset) return valueOf(text);
  return isBlank(text) ? OUT : typed(momentIn(field.format, text), path);
}

export function chosenIn({ entered, preset, options }: Extract<Field, { kind: 'choice' }>) {
  const given = enteredAs(entered, 'chosen');
  const value = given ? given.chosen : entered === undefined ? preset : undefined;
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return options.find((option) => JSON.stringify(option.value) === text);
}

export function severalIn({ entered, preset }: Field): readonly JsonValue[] | undefined {
  const given = enteredAs(entered, 'several');
  if (given) return given.several;
  return entered === undefined && Array.isArray(preset)
    ? (preset as readonly JsonValue[])
    : undefined;
}

function readSeveral(field: Extract<Field, { kind: 'several' }>): Reading {
  const several = severalIn(field);
  if (several === undefined) return OUT;
  // A default keeps its order until somebody chooses.
  if (field.entered === undefined) return valueOf([...several]);
  const chosen = several.map((value) => JSON.stringify(value));
  const values = field.options
    .map(({ value }) => value)
    .filter((value) => chosen.includes(JSON.stringify(value)));
  return staysOut(field, values) ? OUT : { value: values, faults: [] };
}

/** Whether an empty list is omitted: it is optional, and does not replace a default. */
function staysOut({ isRequired, preset }: Field, values: readonly unknown[]): boolean {
  return values.length === 0 && !isRequired && !(Array.isArray(preset) && preset.length > 0);
}

function readList(field: ListField, path: readonly string[]): Reading {
  if (field.isFolded) return OUT;
  if (field.entries.length === 0) return readEmpty(field);
  const read = field.items.map((item, index) => readField(item, [...path, String(index)]));
  const last = read.findLastIndex(
    ({ value, faults }, index) =>
      value !== undefined || index >= field.fixed || faults.some(({ isMissing }) => !isMissing),
  );
  // As long as the list is empty, it does not add the value that it is in to the answer.
  if (last < 0) return field.isRequired ? { faults: read.flatMap((one) => one.faults) } : OUT;
  const faults = read.flatMap((one, index) => {
    const isGap = index < last && one.value === undefined && one.faults.length === 0;
    const at = [...path, String(index)];
    return isGap ? [{ path: at, detail: 'Required.', isMissing: true as const }] : one.faults;
  });
  const values = read
    .slice(0, last + 1)
    .flatMap(({ value }) => (value === undefined ? [] : [value]));
  return { value: values, faults };
}

/** Reads a list without entries. It has a value only if a default, or somebody, says that it is empty. */
function readEmpty(field: ListField): Reading {
  const { entered, preset } = field;
  if (entered === undefined) return Array.isArray(preset) ? valueOf([]) : OUT;
  return staysOut(field, []) ? OUT : valueOf([]);
}

function readGroup(field: GroupField, path: readonly string[]): Reading {
  if (field.isFolded) return OUT;
  const read = partsIn(field).map(
    ([name, part]) => [name, readField(part, [...path, name])] as const,
  );
  const entries = read.flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const faults = read.flatMap(([, reading]) => reading.faults);
  const isThere =
    field.isRequired ||
    field.canFold ||
    entries.length > 0 ||
    faults.some(({ isMissing }) => !isMissing);
  if (!isThere) return OUT;
  const value = Object.fromEntries(entries);
  return {
    value,
    faults: [...faults, ...nameFaults(field, path), ...dependent(field.schema, value, path)],
  };
}

function nameFaults(field: GroupField, path: readonly string[]): readonly Fault[] {
  const names = partsIn(field).map(([name]) => name);
  return names.slice(field.members.length).flatMap((name) => {
    const isTwice = names.filter((one) => one === name).length > 1;
    if (!isTwice && name !== '') return [];
    const detail = isTwice ? 'This name is used twice.' : 'It needs a name.';
    return [{ path: [...path, name], detail }];
  });
}

/** Returns the parts that are required with the entered ones, and are missing. */
function dependent(
  schema: JsonObject,
  value: JsonObject,
  path: readonly string[],
): readonly Fault[] {
  const { dependentRequired } = schema;
  return Object.entries((dependentRequired ?? {}) as JsonObject).flatMap(([name, needed]) =>
    Object.hasOwn(value, name)
      ? (needed as readonly string[])
          .filter((one) => !Object.hasOwn(value, one))
          .map((one) => ({ path: [...path, one], detail: `Required with ${name}.` }))
      : [],
  );
}
