import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/constants/names.js';

/** The known state of the search attributes that a namespace needs, by their names. */
export interface AttributesFound {
  readonly missing: readonly string[];
  /** The attributes of which the server reveals nothing. */
  readonly unchecked: readonly string[];
}

export const ALL_THERE: AttributesFound = { missing: [], unchecked: [] };

/** A `Connection` or a `NativeConnection`. */
export type AskedConnection = Pick<Connection, 'workflowService'>;

const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
/** The shortest time between two checks for missing attributes, in milliseconds. */
const APART_MS = 2_000;

/** Whether the server forbids this process something, however often it tries. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return code === PERMISSION_DENIED || code === UNIMPLEMENTED;
}

/**
 * Finds out which search attributes a namespace lacks by counting workflows without them, which needs no admin right:
 * a query with an unknown attribute is refused. It does not check their types.
 */
export async function findSearchAttributes(
  connection: AskedConnection,
  namespace: string,
  names: readonly string[],
): Promise<AttributesFound> {
  if ((await isKnown(connection, namespace, names)) === true) return ALL_THERE;
  const known = await Promise.all(names.map((name) => isKnown(connection, namespace, [name])));
  return {
    missing: names.filter((_name, index) => known[index] === false),
    unchecked: names.filter((_name, index) => known[index] === undefined),
  };
}

/** Returns undefined if the server does not reveal it. */
async function isKnown(
  { workflowService }: AskedConnection,
  namespace: string,
  names: readonly string[],
): Promise<boolean | undefined> {
  const query = ["WorkflowId = ''", ...names.map((name) => `${name} IS NULL`)].join(' AND ');
  try {
    await workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    return codeOf(error) === INVALID_ARGUMENT ? false : undefined;
  }
}

/**
 * Watches whether a namespace has the search attributes. It asks only for missing ones, at most every 2 s.
 *
 * @param found - what is known already
 * @param now - milliseconds since the epoch
 */
export function watchSearchAttributes(
  connection: AskedConnection,
  namespace: string,
  found: AttributesFound,
  now: () => number = Date.now,
): () => Promise<AttributesFound> {
  let latest = Promise.resolve(found);
  let askedAt = -Infinity;
  return async () => {
    const { missing, unchecked } = await latest;
    const open = [...missing, ...unchecked];
    if (open.length > 0 && now() - askedAt >= APART_MS) {
      askedAt = now();
      latest = findSearchAttributes(connection, namespace, open);
    }
    return latest;
  };
}

/** Describes the missing attributes, with their types, for people; undefined if all are there. */
export function describeAttributes({ missing, unchecked }: AttributesFound): string | undefined {
  const parts = [
    ...(missing.length === 0 ? [] : [`search attributes are missing: ${typed(missing)}`]),
    ...(unchecked.length === 0 ? [] : [`search attributes not checked: ${unchecked.join(', ')}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function typed(names: readonly string[]): string {
  const types: Readonly<Record<string, string>> = SEARCH_ATTRIBUTES;
  return names.map((name) => `${name} (${types[name] ?? ''})`).join(', ');
}

function codeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}
