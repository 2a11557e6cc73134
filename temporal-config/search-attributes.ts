import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/constants/names.js';
import { TemporalConfigError, reasonOf } from './errors.js';
import {
  ALL_THERE,
  findSearchAttributes,
  isRefusal,
  type AttributesFound,
} from './missing-attributes.js';

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
/** The longest random pause before adding an attribute, which keeps processes that start together apart. */
const APART_MS = 100;
const ALREADY_EXISTS = 6;

/** A `Connection` or a `NativeConnection`. */
export type OperatorConnection = Pick<Connection, 'operatorService' | 'workflowService'>;

/**
 * Registers the search attributes that the namespace lacks; concurrent calls are safe. It must happen before any
 * worker polls: a workflow that sets an unknown attribute hangs. Where the server forbids listing or adding them, as
 * Temporal Cloud does, it only finds out which are missing.
 *
 * @param wanted - name → Temporal's type name; default: those of Holdpoint
 * @returns those that are still missing, and those of which that is not known
 * @throws TemporalConfigError `search_attributes_refused` if the server fails, or has one of the names with another
 * type
 */
export async function ensureSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
  wanted: Readonly<Record<string, string>> = SEARCH_ATTRIBUTES,
): Promise<AttributesFound> {
  let missing: readonly string[] = [];
  try {
    const known = await knownAttributes(connection, namespace);
    missing = missingOf(wanted, known ?? {}, namespace);
    if (missing.length === 0) return ALL_THERE;
    if (await isAdded(connection, namespace, missing, wanted)) {
      if (known !== undefined) await untilKnown(connection, namespace, wanted);
      return ALL_THERE;
    }
    if (known !== undefined) return { missing, unchecked: [] };
    return await findSearchAttributes(connection, namespace, missing);
  } catch (error) {
    if (error instanceof TemporalConfigError) throw error;
    throw refused(namespace, missing, wanted, error);
  }
}

/** Adds the attributes; false if the server does not allow it. */
async function isAdded(
  connection: OperatorConnection,
  namespace: string,
  names: readonly string[],
  wanted: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    await add(connection, namespace, names, wanted);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
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

/** Returns undefined if the server cannot list them, like the time-skipping test server, or does not allow it. */
async function knownAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  try {
    return (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/**
 * Adds each attribute by its own call, so that one that another process has just added does not block the others. Adding one
 * twice at the same moment uses up two of the database's ten per type. So each process adds in a random order with random
 * pauses, and checks again before each.
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
