import { z } from 'zod';
import { nearestName } from '../constants/command-name.js';
import { fieldPath } from '../constants/field-path.js';
import { boundedParse, firstOf, isFields, isTooLong, optionsFor } from './bounded-parse.js';
import { LIMITS } from '../constants/limits.js';
import { parseFields, type FieldCodes, type FieldIssue, type Parsed } from './parse-fields.js';

/** Names that senders often use, with our names that they may mean. The first one that a schema has is used. */
const OFTEN_MEANT: Readonly<Record<string, readonly string[]>> = {
  answer: ['value'],
  approvers: ['eligible'],
  args: ['arguments'],
  assignee: ['eligible', 'to'],
  attempts: ['max_attempts'],
  body: ['question', 'prompt', 'text'],
  buttons: ['choices'],
  deadline: ['timeout_seconds', 'expires_at'],
  default: ['fallback_value'],
  default_value: ['fallback_value'],
  duration: ['duration_seconds', 'timeout_seconds', 'lease_seconds'],
  escalate: ['escalation_ladder'],
  escalation: ['escalation_ladder'],
  escalations: ['escalation_ladder'],
  every: ['interval_seconds'],
  expires: ['timeout_seconds', 'expires_at'],
  expires_at: ['timeout_seconds'],
  expires_in: ['timeout_seconds'],
  idempotency_key: ['request_key'],
  input: ['arguments', 'value'],
  interval: ['interval_seconds'],
  ladder: ['escalation_ladder'],
  message: ['question', 'prompt', 'comment', 'text'],
  note: ['comment', 'text'],
  notify: ['notify_to', 'escalation_ladder'],
  notify_to: ['escalation_ladder'],
  on_timeout: ['fallback_policy', 'timeout_outcome'],
  options: ['choices'],
  page_size: ['limit'],
  per_page: ['limit'],
  prompt: ['question'],
  q: ['text'],
  query: ['text'],
  recipient: ['notify_to', 'escalation_ladder', 'to'],
  remind: ['retry_policy'],
  reminder: ['retry_policy'],
  reminders: ['retry_policy'],
  retries: ['max_attempts'],
  search: ['text'],
  text: ['question', 'prompt', 'comment', 'label'],
  timeout: ['timeout_seconds', 'interval_seconds'],
  timeout_ms: ['timeout_seconds'],
  timeout_seconds: ['interval_seconds'],
  times: ['max_attempts'],
  title: ['question', 'prompt', 'name', 'label'],
  to: ['eligible', 'notify_to'],
  ttl: ['timeout_seconds', 'lease_seconds', 'duration_seconds'],
  who: ['eligible'],
};

/** How many levels are searched for a name: `decision_rule.eligible.groups` is the third level. */
const LEVELS = 3;
/** More names than these are no help. */
const MOST_MEANT = 3;

/** A field that was probably meant: its path from the object, and its form, if the name does not show it. */
export interface MeantField {
  readonly path: string;
  readonly form?: string;
}

function innerOf(field: z.ZodType): z.ZodType {
  return 'innerType' in field.def ? innerOf(field.def.innerType as z.ZodType) : field;
}

function fieldsOf(schema: z.ZodObject): readonly (readonly [string, z.ZodType])[] {
  return Object.entries(schema.shape);
}

/** Searches an object for a name, then the objects of its fields, the nearest first. */
function findIn(schema: z.ZodObject, name: string): MeantField | undefined {
  let level: readonly { readonly path: string; readonly object: z.ZodObject }[] = [
    { path: '', object: schema },
  ];
  for (let depth = 0; depth < LEVELS; depth += 1) {
    for (const { path, object } of level) {
      const found = fieldsOf(object).find(([each]) => each === name);
      if (found) return { path: `${path}${name}`, ...formOf(...found) };
    }
    level = level.flatMap(({ path, object }) =>
      fieldsOf(object).flatMap(([each, field]) => {
        const inner = innerOf(field);
        return inner instanceof z.ZodObject ? [{ path: `${path}${each}.`, object: inner }] : [];
      }),
    );
  }
  return undefined;
}

function formOf(name: string, field: z.ZodType): Pick<MeantField, 'form'> {
  const inner = innerOf(field);
  if (inner instanceof z.ZodObject) return { form: `an object ${namesIn(inner)}` };
  const element = inner instanceof z.ZodArray ? innerOf(inner.element as z.ZodType) : undefined;
  if (element instanceof z.ZodObject) return { form: `a list of ${namesIn(element)}` };
  return name.endsWith('_seconds') ? { form: 'in whole seconds' } : {};
}

function namesIn(schema: z.ZodObject): string {
  const names = fieldsOf(schema).map(([name, field]) =>
    field.safeParse(undefined).success ? `${name}?` : name,
  );
  return `{${names.join(', ')}}`;
}

/** The names of an object that have all words of this one: `retry_policy` and `fallback_policy` for `policy`. */
function withWordsOf(name: string, schema: z.ZodObject): readonly MeantField[] {
  const words = name.split('_');
  const all = fieldsOf(schema).filter(([each]) => {
    const theirs = new Set(each.split('_'));
    return words.every((word) => theirs.has(word));
  });
  return all.map(([each, field]) => ({ path: each, ...formOf(each, field) }));
}

/**
 * Returns the fields that an unknown name probably means.
 *
 * @param name - in snake_case
 * @param input - fields that it has are not meant by another name
 * @returns at most three; usually one or none
 */
function meantFields(
  name: string,
  schema: z.ZodObject,
  input: Readonly<Record<string, unknown>>,
): readonly MeantField[] {
  const isOpen = ({ path }: MeantField): boolean => !Object.hasOwn(input, path);
  const usual = Object.hasOwn(OFTEN_MEANT, name) ? (OFTEN_MEANT[name] ?? []) : [];
  for (const each of [name, ...usual]) {
    const found = findIn(schema, each);
    if (found && isOpen(found)) return [found];
  }
  const related = withWordsOf(name, schema).filter(isOpen);
  if (related.length > 0 && related.length <= MOST_MEANT) return related;
  const known = fieldsOf(schema).map(([each]) => each);
  const near = nearestName(name, known);
  return near === undefined ? [] : [{ path: near }];
}

type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, unknown>>;

interface Unknown {
  readonly path: Path;
  readonly name: string;
  /** The object that contains the field, and its schema. */
  readonly value: Fields;
  readonly schema: z.ZodObject;
}

const SHOWN_CHARACTERS = 100;

/** Whether a schema refuses unknown fields; one with a catchall accepts any. */
function isClosed({ def }: z.ZodObject): boolean {
  return def.catchall === undefined || def.catchall instanceof z.ZodNever;
}

function* inObject(schema: z.ZodObject, value: Fields, path: Path): Generator<Unknown> {
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) yield* unknownIn(field, value[name], [...path, name]);
    else if (isClosed(schema)) yield { path, name, value, schema };
  }
}

/** Chooses the option that accepts the value and knows most of its fields. If none accepts it, the parser reports why. */
function inUnion(union: z.ZodUnion, value: unknown, path: Path): readonly Unknown[] {
  const options = optionsFor(union, value);
  const taking =
    options.length > 1 ? options.filter((one) => boundedParse(one, value).success) : options;
  const [closest = []] = taking
    .map((option) => firstOf(unknownIn(option, value, path)))
    .sort((a, b) => a.length - b.length);
  return closest;
}

function* unknownIn(schema: z.ZodType, value: unknown, path: Path): Generator<Unknown> {
  if (typeof value !== 'object' || value === null) return;
  if ('innerType' in schema.def) {
    yield* unknownIn(schema.def.innerType as z.ZodType, value, path);
  } else if (schema instanceof z.ZodUnion) {
    yield* inUnion(schema, value, path);
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType;
    for (const [index, entry] of value.entries())
      yield* unknownIn(element, entry, [...path, index]);
  } else if (isFields(value) && schema instanceof z.ZodObject) {
    yield* inObject(schema, value, path);
  } else if (isFields(value) && schema instanceof z.ZodRecord) {
    const each = schema.valueType as z.ZodType;
    if (each instanceof z.ZodUnknown) return;
    for (const name of Object.keys(value)) yield* unknownIn(each, value[name], [...path, name]);
  }
}

function asIssue({ path, name, value, schema }: Unknown): FieldIssue {
  const isLong = name.length > SHOWN_CHARACTERS;
  const field = fieldPath([...path, isLong ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name]);
  const known = Object.keys(schema.shape);
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (known.includes(snake)) {
    const detail = `${field} is not known here: names are in snake_case, so write ${snake}.`;
    return { field, detail, accepted: snake };
  }
  const meant = isLong ? [] : meantFields(snake, schema, value);
  if (meant.length > 0) {
    const said = meant.map((one) => [one.path, one.form ?? []].flat().join(', '));
    const detail = `${field} is not known here; did you mean ${said.join(', or ')}?`;
    return { field, detail, accepted: meant.map((one) => one.path).join(' or ') };
  }
  const accepted = known.length > 0 ? `one of: ${known.join(', ')}` : 'nothing';
  return { field, detail: `${field} is not known here.`, accepted };
}

/**
 * Parses like `parseFields`, and refuses fields that the schema does not know, at any depth, with the name that was
 * probably meant. Free JSON may contain any field.
 *
 * @param codes - error codes for particular fields
 */
export function parseKnownFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: FieldCodes = {},
): Parsed<z.output<Schema>> {
  const isLong = isTooLong(schema, input);
  const unknown = isLong ? [] : firstOf(unknownIn(schema, input, [])).map(asIssue);
  const parsed = parseFields(schema, input, codes);
  const [first] = unknown;
  if (first === undefined) return parsed;
  const issues = [...unknown, ...(parsed.ok ? [] : parsed.issues)].slice(0, LIMITS.reportedIssues);
  return { ok: false, refusal: { code: 'invalid_request', ...first }, issues };
}
