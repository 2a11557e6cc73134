import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/constants/names.js';
import { TemporalConfigError, reasonOf } from './errors.js';

/** `temporal.api.enums.v1.IndexedValueType`, by the names the CLI uses. */
const INDEXED_VALUE_TYPES: Readonly<Record<string, number>> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};
const PROPAGATION_MS = 10_000;
const POLL_MS = 100;
/** Processes that start together add an attribute up to so long apart. */
const APART_MS = 100;
const ALREADY_EXISTS = 6;
const UNIMPLEMENTED = 12;

/** A `Connection` or a `NativeConnection`. */
export type OperatorConnection = Pick<Connection, 'operatorService'>;

/**
 * Registers the search attributes that the namespace lacks. It may be repeated, also by other processes at
 * the same time. It must happen before any worker polls: a workflow that sets an unknown attribute hangs.
 *
 * @param wanted - name → Temporal's type name; default: those of Holdpoint
 * @throws TemporalConfigError `search_attributes_refused` if the server does not allow it, or has one of
 * the names with another type
 */
export async function ensureSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
  wanted: Readonly<Record<string, string>> = SEARCH_ATTRIBUTES,
): Promise<void> {
  let missing: readonly string[] = [];
  try {
    const known = await knownAttributes(connection, namespace);
    missing = missingOf(wanted, known ?? {}, namespace);
    if (missing.length === 0) return;
    await add(connection, namespace, missing, wanted);
    if (known !== undefined) await untilKnown(connection, namespace, wanted);
  } catch (error) {
    if (error instanceof TemporalConfigError) throw error;
    throw refused(namespace, missing, wanted, error);
  }
}

function missingOf(
  wanted: Readonly<Record<string, string>>,
  known: Readonly<Record<string, number>>,
  namespace: string,
): string[] {
  return Object.entries(wanted).flatMap(([name, type]) => {
    const registered = known[name];
    if (registered === undefined) return [name];
    if (registered === INDEXED_VALUE_TYPES[type]) return [];
    throw new TemporalConfigError(
      'search_attributes_refused',
      `Namespace ${namespace} has the search attribute ${name} with another type than ${type}.`,
    );
  });
}

/** A cluster may need a moment before new attributes can be used. */
async function untilKnown(
  connection: OperatorConnection,
  namespace: string,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const deadline = Date.now() + PROPAGATION_MS;
  for (;;) {
    const known = (await knownAttributes(connection, namespace)) ?? {};
    const missing = missingOf(wanted, known, namespace);
    if (missing.length === 0) return;
    if (Date.now() > deadline) throw new Error('the server took them but does not list them');
    await pause(POLL_MS);
  }
}

/** Undefined if the server cannot list them, as the time-skipping test server. */
async function knownAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  try {
    return (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes;
  } catch (error) {
    if (hasStatus(error, UNIMPLEMENTED)) return undefined;
    throw error;
  }
}

/**
 * One call for each, so that an attribute which another process just added does not block the others. Two that add the same
 * one at the same moment use up two of the ten that the database has of a type. So each has an order and pauses of its own,
 * and looks again before it adds.
 */
async function add(
  connection: OperatorConnection,
  namespace: string,
  names: readonly string[],
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  for (const name of inAnyOrder(names)) {
    await pause(Math.random() * APART_MS);
    if (name in ((await knownAttributes(connection, namespace)) ?? {})) continue;
    const searchAttributes = { [name]: INDEXED_VALUE_TYPES[wanted[name] ?? ''] ?? 0 };
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
    } catch (error) {
      if (!hasStatus(error, ALREADY_EXISTS)) throw error;
    }
  }
}

function inAnyOrder<T>(all: readonly T[]): readonly T[] {
  const drawn = all.map((one) => ({ one, at: Math.random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

function hasStatus(error: unknown, status: number): boolean {
  if (!isGrpcServiceError(error)) return false;
  const code: number = error.code;
  return code === status;
}

function refused(
  namespace: string,
  missing: readonly string[],
  wanted: Readonly<Record<string, string>>,
  cause: unknown,
): TemporalConfigError {
  const names = missing.map((name) => `${name} (${wanted[name] ?? ''})`).join(', ');
  const help = names === '' ? '' : `. Have an administrator add ${names}, then start again.`;
  return new TemporalConfigError(
    'search_attributes_refused',
    `Search attributes of namespace ${namespace} could not be made sure of: ${reasonOf(cause)}${help}`,
    { cause },
  );
}
