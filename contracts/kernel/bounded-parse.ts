import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, unknown>>;

/** Longer lists are checked entry by entry, until enough are wrong. Shorter ones cost little. */
const FEW_ENTRIES = 1_000;

/** The part of a schema that checks a value, without defaults and optionality. */
function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema.def as unknown as Record<'in' | 'out', z.ZodType>;
    return innermost(first instanceof z.ZodTransform ? out : first);
  }
  if (!('innerType' in schema.def)) return schema;
  return innermost(schema.def.innerType as z.ZodType);
}

/** A value within the input, with the schema that checks it. */
interface Part {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly path: Path;
  /** Whether it is an entry of a list or a map, whose number is unlimited. */
  readonly isEntry: boolean;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFree(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodAny;
}

/** The options of a union that fit the kind of a value. */
export function optionsFor(union: z.ZodUnion, value: unknown): readonly z.ZodType[] {
  return (union.options as readonly z.ZodType[]).filter((option) => {
    const inner = innermost(option);
    if (inner instanceof z.ZodUnion) return true;
    if (Array.isArray(value)) return inner instanceof z.ZodArray;
    return isFields(value) && (inner instanceof z.ZodObject || inner instanceof z.ZodRecord);
  });
}

/** The direct parts of a list, an object or a map, with their schemas. */
function* partsOf({ schema, value, path, isEntry }: Part): Generator<Part> {
  const inner = innermost(schema);
  if (inner instanceof z.ZodUnion) {
    // Several options would check the same entries, so only the first one is used.
    const [option] = optionsFor(inner, value);
    if (option !== undefined) yield* partsOf({ schema: option, value, path, isEntry });
  } else if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const element = inner.element as z.ZodType;
    for (const [index, entry] of isFree(element) ? [] : (value as unknown[]).entries()) {
      yield { schema: element, value: entry, path: [...path, index], isEntry: true };
    }
  } else if (inner instanceof z.ZodObject && isFields(value)) {
    const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
    for (const [name, field] of Object.entries(shape)) {
      if (!Object.hasOwn(value, name)) continue;
      yield { schema: field, value: value[name], path: [...path, name], isEntry: false };
    }
  } else if (inner instanceof z.ZodRecord && isFields(value)) {
    const each = inner.valueType as z.ZodType;
    for (const [name, entry] of isFree(each) ? [] : Object.entries(value)) {
      yield { schema: each, value: entry, path: [...path, name], isEntry: true };
    }
  }
}

type MaxLength = z.core.$ZodCheckMaxLengthDef;

function mostIn(schema: z.ZodType, value: unknown): number {
  const inner = innermost(schema);
  if (inner instanceof z.ZodArray) {
    const bounds = (inner.def.checks ?? []).map(({ _zod: { def } }) => def as Partial<MaxLength>);
    return Math.min(
      ...bounds.flatMap(({ maximum }) => (maximum === undefined ? [] : [maximum])),
      Infinity,
    );
  }
  if (inner instanceof z.ZodUnion) {
    const most = optionsFor(inner, value).map((option) => mostIn(option, value));
    return most.length === 0 ? Infinity : Math.max(...most);
  }
  const meta = inner instanceof z.ZodRecord ? inner.meta() : undefined;
  return typeof meta?.['maxProperties'] === 'number' ? meta['maxProperties'] : Infinity;
}

function tooMany(maximum: number, { value, path }: Part): Issue {
  const isList = Array.isArray(value);
  const [origin, entries] = isList ? ['array', 'items'] : ['record', 'properties'];
  const message = `Too big: expected ${origin} to have <=${maximum} ${entries}`;
  return { code: 'too_big', origin, maximum, inclusive: true, path: [...path], message };
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isFields(value) ? Object.keys(value).length : 0;
}

/** Skips the contents of lists that are too long. Counts all other entries, and stops once there are too many. */
function lengthIssues(root: Part, counted: { entries: number }): readonly Issue[] {
  const found: Issue[] = [];
  const open = [root];
  // Appending to the list during the loop makes it visit the outer levels first.
  for (const part of open) {
    const maximum = mostIn(part.schema, part.value);
    if (sizeOf(part.value) > maximum) {
      found.push(tooMany(maximum, part));
      if (found.length >= LIMITS.reportedIssues) break;
      continue;
    }
    for (const inner of partsOf(part)) {
      if (inner.isEntry) counted.entries += 1;
      if (counted.entries > LIMITS.checkedEntries) return [...found, tooManyInAll(part)];
      if (isContainer(inner.value)) open.push(inner);
    }
  }
  return found;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function tooManyInAll({ path }: Part): Issue {
  const accepted = `at most ${LIMITS.checkedEntries} entries in all lists and maps of the input together`;
  const message = `Too big: expected ${accepted}`;
  return { code: 'custom', path: [...path], params: { accepted }, message };
}

/**
 * Whether a list or map within an input is too long, or all of them together; if so, nothing else should visit its
 * entries.
 */
export function isTooLong(schema: z.ZodType, input: unknown): boolean {
  return lengthIssues(rootOf(schema, input), { entries: 0 }).length > 0;
}

function rootOf(schema: z.ZodType, value: unknown): Part {
  return { schema, value, path: [], isEntry: false };
}

function* keyIssues({ schema, value, path }: Part): Generator<Issue> {
  const inner = innermost(schema);
  if (!(inner instanceof z.ZodRecord) || !isFields(value)) return;
  const keyType = inner.keyType as z.ZodType;
  for (const name of Object.keys(value)) {
    const issues = keyType.safeParse(name).error?.issues;
    if (issues === undefined) continue;
    const message = 'Invalid key in record';
    yield {
      code: 'invalid_key',
      origin: 'record',
      issues,
      path: [...path, name],
      message,
    };
  }
}

/**
 * Yields the first wrong entries and names of lists and maps, as many as an error reports. Does not check an entry as
 * a whole if it contains such entries.
 */
function* entryIssues(part: Part): Generator<Issue, boolean> {
  yield* keyIssues(part);
  let hasEntries = false;
  for (const inner of partsOf(part)) {
    const hasInner = yield* entryIssues(inner);
    hasEntries ||= inner.isEntry || hasInner;
  }
  if (part.isEntry && !hasEntries) {
    const { schema, value, path } = part;
    const issues = schema.safeParse(value).error?.issues ?? [];
    yield* issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  }
  return hasEntries;
}

/** Takes as many issues as an error reports, and looks for no more. */
export function firstOf<T>(issues: Iterable<T>): readonly T[] {
  const found: T[] = [];
  for (const issue of issues) {
    found.push(issue);
    if (found.length >= LIMITS.reportedIssues) break;
  }
  return found;
}

/**
 * Parses an input as the schema does, in bounded time: it checks lengths before entries, limits the entries of all
 * lists and maps together, and stops after as many issues as an error reports.
 */
export function boundedParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const root = rootOf(schema, input);
  const counted = { entries: 0 };
  const tooLong = lengthIssues(root, counted);
  if (tooLong.length > 0) return failure(tooLong);
  if (counted.entries > FEW_ENTRIES) {
    const wrong = firstOf(entryIssues(root));
    if (wrong.length >= LIMITS.reportedIssues) return failure(wrong);
  }
  return schema.safeParse(input);
}

function failure(issues: readonly Issue[]): z.ZodSafeParseError<never> {
  return {
    success: false,
    data: undefined,
    error: new z.ZodError([...issues]),
  } as z.ZodSafeParseError<never>;
}
