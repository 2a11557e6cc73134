import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { isBlank, visibleJson } from '../../../contracts/constants/visible-text.js';
import type { Field, GroupField, ListField } from './field.js';
import { jsonIn, momentIn, numberIn } from './typed.js';
import type { Typed } from './typed.js';

/** A part that does not fit, and why. */
export interface Fault {
  readonly path: readonly string[];
  readonly detail: string;
  /** Nothing was entered where something has to be. */
  readonly isMissing?: true;
}

/** What a field says: a value, or that it stays out; and what is wrong with it. */
export interface Reading {
  readonly value?: JsonValue;
  readonly faults: readonly Fault[];
}

const OUT: Reading = { faults: [] };

/** The value of a field: nothing but what somebody entered, a default of the schema, or what a chosen branch says. */
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

/** Whether a box is ticked; undefined where nobody says. */
export function tickedIn({
  entered,
  preset,
}: Pick<Field, 'entered' | 'preset'>): boolean | undefined {
  const value = entered === undefined ? preset : entered;
  return typeof value === 'boolean' ? value : undefined;
}

function typed({ value, fault }: Typed, path: readonly string[]): Reading {
  return fault === undefined ? valueOf(value) : { faults: [{ path, detail: fault }] };
}

/** What stands in a field into which one types. */
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

/** The option that is chosen, by somebody or by a default. */
export function chosenIn({ entered, preset, options }: Extract<Field, { kind: 'choice' }>) {
  const isChosen = typeof entered === 'object' && entered !== null && 'chosen' in entered;
  const value = isChosen ? entered.chosen : entered === undefined ? preset : undefined;
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return options.find((option) => JSON.stringify(option.value) === text);
}

/** The values that are chosen of several. */
export function severalIn({ entered, preset }: Pick<Field, 'entered' | 'preset'>) {
  if (typeof entered === 'object' && entered !== null && 'several' in entered)
    return entered.several;
  return entered === undefined && Array.isArray(preset)
    ? (preset as readonly JsonValue[])
    : undefined;
}

function readSeveral(field: Extract<Field, { kind: 'several' }>): Reading {
  const several = severalIn(field);
  if (several === undefined) return OUT;
  // A default stays as its schema has it, in its order, until somebody chooses.
  if (field.entered === undefined) return valueOf([...several]);
  const chosen = several.map((value) => JSON.stringify(value));
  const values = field.options
    .map(({ value }) => value)
    .filter((value) => chosen.includes(JSON.stringify(value)));
  return staysOut(field, values) ? OUT : { value: values, faults: [] };
}

/** Whether an empty list stays out: nobody asks for one, and no default is taken back by it. */
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
  // Nothing is in it yet, so that it does not make what it is in a part of the answer.
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

/** A list with nothing in it: it is empty where a default, or somebody, says so. */
function readEmpty(field: ListField): Reading {
  const { entered, preset } = field;
  if (entered === undefined) return Array.isArray(preset) ? valueOf([]) : OUT;
  return staysOut(field, []) ? OUT : valueOf([]);
}

function readGroup(field: GroupField, path: readonly string[]): Reading {
  if (field.isFolded) return OUT;
  const read = field.members.map(
    ([name, member]) => [name, readField(member, [...path, name])] as const,
  );
  const more = (field.more ?? []).map(({ entry, field: part }) => {
    const name = entry.name ?? '';
    return [name, readField(part, [...path, name])] as const;
  });
  const all = [...read, ...more];
  const entries = all.flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const faults = all.flatMap(([, reading]) => reading.faults);
  const isThere =
    field.isRequired ||
    field.canFold ||
    entries.length > 0 ||
    faults.some(({ isMissing }) => !isMissing);
  if (!isThere) return OUT;
  const value = Object.fromEntries(entries);
  return {
    value,
    faults: [...faults, ...nameFaults(field, more, path), ...dependent(field.schema, value, path)],
  };
}

function nameFaults(
  { members }: GroupField,
  more: readonly (readonly [string, Reading])[],
  path: readonly string[],
): readonly Fault[] {
  const names = [...members, ...more].map(([name]) => name);
  return more.flatMap(([name]) => {
    const isTwice = names.filter((one) => one === name).length > 1;
    if (!isTwice && name !== '') return [];
    const detail = isTwice ? 'This name stands there twice.' : 'It needs a name.';
    return [{ path: [...path, name], detail }];
  });
}

/** What has to come with what was entered. */
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
