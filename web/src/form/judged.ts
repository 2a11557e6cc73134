import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { faultsBySchema } from '../../../domain/schema/judge.js';
import type { Entered, Field } from './field.js';
import { planField } from './plan.js';
import { readField } from './read.js';
import type { Fault } from './read.js';

/** A form as it stands: its fields, what would be sent, and what is missing or cannot be read. */
export interface Form {
  readonly field: Field;
  /** Undefined where nothing can be sent so. */
  readonly value: JsonValue | undefined;
  readonly faults: readonly Fault[];
}

/** How many places a form is planned with. A schema that asks for more is answered as JSON. */
const MOST_PLACES = 2_000;

/** The last reading of each schema: a page asks for the same several times until something else is entered. */
const lastOf = new WeakMap<
  JsonObject,
  { readonly entered: Entered | undefined; readonly form: Form }
>();

/** Reads a form by its schema and what was entered. The same of both is read once. */
export function formOf(schema: JsonObject, entered: Entered | undefined): Form {
  const last = lastOf.get(schema);
  if (last && last.entered === entered) return last.form;
  const form = read(schema, entered);
  lastOf.set(schema, { entered, form });
  return form;
}

function read(schema: JsonObject, entered: Entered | undefined): Form {
  const whole = { schema, root: schema, isRequired: true, entered, depth: 0 };
  const budget = { left: MOST_PLACES };
  const planned = planField({ ...whole, budget });
  const field = budget.left < 0 ? planField({ ...whole, budget }) : planned;
  const { value, faults } = readField(field);
  return { field, value, faults };
}

/**
 * Everything that keeps a form from being sent: what is missing, each value that does not fit its own part of the schema, and,
 * if there is nothing of these, what the schema says of the whole. The API judges it again.
 */
export function faultsOf(schema: JsonObject, { field, value, faults }: Form): readonly Fault[] {
  const found = [...faults, ...ownFaults(field, schema, [])];
  if (found.length > 0 || value === undefined) return found;
  return judged(schema, schema, value);
}

/** Whether a form could be sent as it stands. */
export function isComplete(schema: JsonObject, form: Form): boolean {
  return form.value !== undefined && faultsOf(schema, form).length === 0;
}

function ownFaults(field: Field, root: JsonObject, path: readonly string[]): readonly Fault[] {
  const { value } = readField(field);
  switch (field.kind) {
    case 'group':
      return [
        ...field.members,
        ...(field.more ?? []).map(({ entry, field: part }) => [entry.name ?? '', part] as const),
      ].flatMap(([name, part]) => ownFaults(part, root, [...path, name]));
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
