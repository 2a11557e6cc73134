import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { isBlank, visibleJson } from '../../../contracts/constants/visible-text.js';
import { enteredAs, partsIn } from './field.js';
import type { Field, GroupField, ListField } from './field.js';
import { jsonIn, momentIn, numberIn } from './typed.js';
import type { Typed } from './typed.js';

/** A part that does not fit, and the reason. */
export interface Fault {
  readonly path: readonly string[];
  readonly detail: string;
  /** A required part was not entered. */
  readonly isMissing?: true;
}

/** The value of a field, or none if it is left out, and its faults. */
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

/** Returns the text in an input into which people type. */
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

/** Returns the option that somebody, or a default, has chosen. */
export function chosenIn({ entered, preset, options }: Extract<Field, { kind: 'choice' }>) {
  const given = enteredAs(entered, 'chosen');
  const value = given ? given.chosen : entered === undefined ? preset : undefined;
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return options.find((option) => JSON.stringify(option.value) === text);
}

/** Returns the values of a set that somebody, or a default, has chosen. */
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

/** Whether an empty list is left out: it is optional, and does not replace a default. */
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
