import type { QueryDefinition } from '@temporalio/common';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from '../../../contracts/people/caller.js';
import { workflowIdOf, type WorkflowType } from '../../../contracts/constants/names.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashJson, hmacBase64Url, uuidFrom } from '../../../domain/kernel/hashing.js';
import { findCreation, type CreatedTable } from '../../../store/queries/records.js';
import { isRemoved } from '../../../store/queries/erasure/erasure-marks.js';
import type { IdSecrets } from '../../../contracts/server/config.js';
import type { Created, LogStart } from '../../../workflows/engine/messages.js';
import { refusalOf } from '../../errors.js';
import type { Read } from '../caller.js';
import type { FromStore } from '../reads/from-store.js';
import { idempotencyKeyReused, removedByRetention, writeUnavailable } from '../refusals.js';
import type { Temporal } from './temporal.js';

export interface Creation {
  readonly id: string;
  readonly workflowId: string;
  /** The hash of the request's body, if it has a key; kept by the workflow. */
  readonly creation_hash?: string;
  /** The same ids under the earlier secrets: such a thing may exist already, and is not created any more. */
  readonly retired: readonly Creation[];
}

/**
 * Returns the ids of what a request creates. With a key they follow from the caller and the key, so that a repeated
 * request finds the earlier creation.
 * @param body - what is compared under the key
 */
export type CreationOf = (
  type: WorkflowType,
  caller: Pick<Caller, 'space' | 'principal'>,
  key: string | undefined,
  body: object,
) => Creation;

/**
 * Makes ids from keys by a keyed hash: nobody can compute the ids from somebody's name and keys.
 * @param secrets - the current secret, then the earlier ones
 */
export function createCreationOf([current, ...retired]: IdSecrets): CreationOf {
  return (type, { space, principal }, key, body) => {
    if (key === undefined) {
      const id = randomUUID();
      return { id, workflowId: workflowIdOf(type, id), retired: [] };
    }
    const text = JSON.stringify([type, space, principal, key]);
    const creation_hash = hashOf(body);
    const under = (secret: string): Creation => {
      const id = uuidFrom(hmacBase64Url(secret, text));
      return { id, workflowId: workflowIdOf(type, id), creation_hash, retired: [] };
    };
    return { ...under(current), retired: retired.map(under) };
  };
}

/** Returns the input that every workflow with a log starts with. Only the workflow gets the key of its salts. */
export function logStartOf({ creation_hash }: Creation): LogStart & Created {
  const log_key = randomBytes(32).toString('base64url');
  return { log_key, ...(creation_hash !== undefined && { creation_hash }) };
}

/** Returns the hash of a body, to compare it under its key; missing and undefined fields are the same. */
function hashOf(body: object): string {
  return hashJson(JSON.parse(JSON.stringify(body)) as JsonObject);
}

/** The two places where a creation is found again by its key. */
export interface Memory {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly fromStore: FromStore;
}

interface Kind<C extends Created, T> {
  readonly table: CreatedTable;
  readonly definition: QueryDefinition<C>;
  /** Resolves to `exists` if the workflow was there before. */
  readonly create: () => Promise<T | 'exists'>;
  /** The creation under an id, as the reply shows it. */
  readonly viewOf: (created: C, id: string) => T | Promise<T>;
  /** Reads it from its workflow, or from the store where that is gone. */
  readonly read: (id: string) => Promise<Read<T>>;
}

/**
 * Creates something, or returns what the same key and body created before, also under a retired secret. The store is
 * asked first, which remembers longer than Temporal; while it is away, nothing is created under a key. Throws what
 * `create` throws, `idempotency_key_reused`, `store_unavailable`, `removed_by_retention`, and `workflow_unavailable`
 * if nobody can know whether it exists.
 */
export async function createOnce<C extends Created, T>(
  { temporal, fromStore }: Memory,
  creation: Creation,
  kind: Kind<C, T>,
): Promise<T> {
  const { creation_hash, retired } = creation;
  const first = () => find(temporal.query, creation, kind.definition);
  const attempt = async (): Promise<T | 'exists'> => {
    if (creation_hash === undefined) return kind.create();
    for (const one of [creation, ...retired]) {
      if (await isStored(fromStore, kind.table, one)) return (await kind.read(one.id)).value;
    }
    for (const one of retired) {
      const found = await find(temporal.query, one, kind.definition);
      if (found !== undefined) return kind.viewOf(found, one.id);
    }
    return kind.create();
  };
  const created = await attempt().catch(async (error: unknown) => {
    const refusal = refusalOf(error);
    if (creation_hash === undefined || refusal === undefined) throw error;
    // Temporal may still know what was removed; and no further call is made to a busy one.
    if (refusal.code === 'removed_by_retention' || refusal.code === 'busy') throw error;
    const found = await first();
    if (found === undefined) throw error;
    return kind.viewOf(found, creation.id);
  });
  if (created !== 'exists') return created;
  const found = await first();
  if (found === undefined) throw writeUnavailable();
  return kind.viewOf(found, creation.id);
}

/** Whether the store has what a key created; refuses the key for another body, and if retention removed it. */
async function isStored(
  fromStore: FromStore,
  table: CreatedTable,
  creation: Creation,
): Promise<boolean> {
  const stored = await fromStore(findCreation, table, creation.id);
  // One that was stored by a release that kept no hashes cannot be compared.
  if (stored && stored.creation_hash !== null) demandSame(creation, stored.creation_hash);
  if (stored !== undefined) return true;
  await demandNotRemoved(fromStore, KIND_IN[table], creation.id, 'Idempotency-Key');
  return false;
}

/**
 * Refuses the key of something that ended and was removed long ago, so that it is not created again. Throws
 * `removed_by_retention`.
 * @param field - where the key stands
 */
export async function demandNotRemoved(
  fromStore: FromStore,
  type: WorkflowType,
  id: string,
  field: 'Idempotency-Key' | 'request_key',
): Promise<void> {
  if (await fromStore(isRemoved, type, id)) throw removedByRetention(field);
}

const KIND_IN = {
  coordinators: 'coordinator',
  intents: 'intent',
  plans: 'plan',
  portfolios: 'portfolio',
  subscriptions: 'subscription',
  tasks: 'task',
} as const;

async function find<C extends Created>(
  query: Temporal['query'],
  creation: Creation,
  definition: QueryDefinition<C>,
): Promise<C | undefined> {
  const asked = await query(creation.workflowId, definition);
  if (asked.kind === 'gone') return undefined;
  if (asked.kind === 'no_answer') throw writeUnavailable();
  demandSame(creation, asked.value.creation_hash);
  return asked.value;
}

/** Refuses a key that has created something from another body. Throws `idempotency_key_reused`. */
export function demandSame({ creation_hash }: Creation, known: string | undefined): void {
  // It was erased with the personal data of what the key created.
  if (known !== undefined && known !== creation_hash) throw idempotencyKeyReused();
}
