import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { faultsBySchema } from '../../../domain/schema/judge.js';
import { partsIn, type Entered, type Field } from './field.js';
import { planField } from './plan.js';
import { readField, type Fault } from './read.js';

/** The present state of a form: its fields, the value to send, and what is missing or cannot be read. */
export interface Form {
  readonly field: Field;
  /** Undefined if nothing could be sent. */
  readonly value: JsonValue | undefined;
  readonly faults: readonly Fault[];
}

/** A schema with more places than this is answered as JSON. */
const MOST_PLACES = 2_000;

/** The last reading of each schema, because a page reads a form several times between two entries. */
const lastOf = new WeakMap<
  JsonObject,
  {
    readonly entered: Entered | undefined;
    readonly given: JsonValue | undefined;
    readonly form: Form;
  }
>();

/**
 * Reads a form by its schema and what was entered.
 *
 * @param given - a value that is there already and is edited; then defaults of the schema add nothing to it
 */
export function formOf(schema: JsonObject, entered: Entered | undefined, given?: JsonObject): Form {
  const last = lastOf.get(schema);
  if (last && last.entered === entered && last.given === given) return last.form;
  const form = read(schema, entered, given);
  lastOf.set(schema, { entered, given, form });
  return form;
}

/** Whether a form shows a value completely: nothing is lost or changed before somebody edits it. */
export function canShow(schema: JsonObject, given: JsonObject): boolean {
  const { field, value } = formOf(schema, undefined, given);
  return field.kind === 'group' && jsonEqual(value, given);
}

function read(
  schema: JsonObject,
  entered: Entered | undefined,
  given: JsonObject | undefined,
): Form {
  const whole = { schema, root: schema, isRequired: true, entered, preset: given, depth: 0 };
  const budget = { left: MOST_PLACES, usesDefaults: given === undefined };
  const planned = planField({ ...whole, budget });
  const field = budget.left < 0 ? planField({ ...whole, budget }) : planned;
  const { value, faults } = readField(field);
  return { field, value, faults };
}

/**
 * Returns everything that prevents a form from being sent: missing parts and values that do not fit their part of the
 * schema; if there are none, the faults of the whole value. The API judges it again.
 */
export function faultsOf(schema: JsonObject, { field, value, faults }: Form): readonly Fault[] {
  const found = [...faults, ...ownFaults(field, schema, [])];
  if (found.length > 0 || value === undefined) return found;
  return judged(schema, schema, value);
}

export function isComplete(schema: JsonObject, form: Form): boolean {
  return form.value !== undefined && faultsOf(schema, form).length === 0;
}

function ownFaults(field: Field, root: JsonObject, path: readonly string[]): readonly Fault[] {
  const { value } = readField(field);
  switch (field.kind) {
    case 'group':
      return partsIn(field).flatMap(([name, part]) => ownFaults(part, root, [...path, name]));
    case 'union':
      return field.inner ? ownFaults(field.inner, root, path) : [];
    case 'list':
      return [
        ...field.items.flatMap((item, index) => ownFaults(item, root, [...path, String(index)])),
        ...own(field, root, value, path),
      ];
    default:
      return own(field, root, value, path);
  }
}

function own(
  field: Field,
  root: JsonObject,
  value: JsonValue | undefined,
  path: readonly string[],
) {
  if (value === undefined || (value === null && field.isNullable)) return [];
  return judged(field.schema, root, value).map((fault) => ({
    ...fault,
    path: [...path, ...fault.path],
  }));
}

function judged(schema: JsonObject, root: JsonObject, value: JsonValue): readonly Fault[] {
  const { $defs } = root;
  return faultsBySchema({ ...($defs && { $defs }), ...schema }, value);
}
