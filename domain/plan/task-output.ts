import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type {
  DeclaredOutputs,
  DeclaredType,
  DeclaredTypes,
  Task,
} from '../../contracts/plan/task.js';
import { isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';

export const PRIMITIVES = ['string', 'number', 'boolean', 'object', 'array'] as const;

export function isPrimitive(name: string): boolean {
  return isOneOf(name, PRIMITIVES);
}

/** Returns the type of an output and whether it is required, which is the default. */
export function declarationOf(declared: DeclaredType): { type: string; required: boolean } {
  return typeof declared === 'string' ? { type: declared, required: true } : declared;
}

/** Returns the types that a task needs to check its outputs, including those that they refer to. */
export function typesOf(outputs: DeclaredOutputs, types: DeclaredTypes): DeclaredTypes {
  const needed = new Set<string>();
  const follow = (shape: DeclaredOutputs): void => {
    for (const declared of Object.values(shape)) {
      const { type } = declarationOf(declared);
      if (isPrimitive(type) || needed.has(type) || !Object.hasOwn(types, type)) continue;
      needed.add(type);
      follow(types[type] ?? {});
    }
  };
  follow(outputs);
  return Object.fromEntries(Object.entries(types).filter(([name]) => needed.has(name)));
}

interface Mismatch {
  readonly key: string;
  readonly expected_type: string;
  readonly actual_type: string;
}

type Producer = Pick<Task, 'id' | 'name' | 'outputs'>;

/**
 * Checks an output against its declaration (RFC-0024 §3.3); keeps undeclared keys and converts nothing. Refuses
 * `missing_output` with all `missing_keys`, or `output_type_mismatch` with the first wrong key, `expected_type` and
 * `actual_type`.
 */
export function validateOutput(
  { id, name, outputs }: Producer,
  types: DeclaredTypes,
  output: JsonObject,
): Ruling<JsonObject> {
  const subject = { task_id: id, phase_name: name };
  const missing_keys = missingIn(output, outputs);
  if (missing_keys.length > 0) {
    return refuse('missing_output', `The output lacks ${missing_keys.join(', ')}.`, {
      field: 'output',
      accepted: `an object with ${missing_keys.join(', ')}`,
      state: { ...subject, missing_keys },
    });
  }
  const mismatch = mismatchIn(output, outputs, types, '');
  if (mismatch === undefined) return ok(output);
  const { key, expected_type, actual_type } = mismatch;
  return refuse('output_type_mismatch', `${key} is declared as ${expected_type}.`, {
    field: `output.${key}`,
    accepted: expected_type,
    state: { ...subject, key, expected_type, actual_type },
  });
}

function missingIn(output: JsonObject, outputs: DeclaredOutputs): string[] {
  return Object.entries(outputs)
    .filter(([key, declared]) => declarationOf(declared).required && !Object.hasOwn(output, key))
    .map(([key]) => key);
}

function mismatchIn(
  value: JsonObject,
  shape: DeclaredOutputs,
  types: DeclaredTypes,
  prefix: string,
): Mismatch | undefined {
  for (const [key, declared] of Object.entries(shape)) {
    const { type, required } = declarationOf(declared);
    const path = `${prefix}${key}`;
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (member === undefined) {
      if (required) return { key: path, expected_type: type, actual_type: 'missing' };
      continue;
    }
    const mismatch = mismatchOf(member, type, types, path);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function mismatchOf(
  value: JsonValue,
  type: string,
  types: DeclaredTypes,
  key: string,
): Mismatch | undefined {
  const actual_type = typeOf(value);
  if (isPrimitive(type)) {
    return actual_type === type ? undefined : { key, expected_type: type, actual_type };
  }
  if (actual_type !== 'object') return { key, expected_type: type, actual_type };
  const shape = Object.hasOwn(types, type) ? types[type] : undefined;
  return shape && mismatchIn(value as JsonObject, shape, types, `${key}.`);
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
