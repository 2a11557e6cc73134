import type { QueryDefinition } from '@temporalio/common';
import type { JsonObject } from '../../../contracts/primitives.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { refusalOf } from '../../errors.js';
import { idempotencyKeyReused, writeUnavailable } from '../refusals.js';
import type { Temporal } from './temporal.js';

/** What a workflow tells of how it was created. */
interface Created {
  readonly creation_hash?: string;
}

/** Where what a request creates is found again; `hash` is that of its body, where it has a key. */
interface EarlierCreation<C extends Created> {
  readonly workflowId: string;
  readonly definition: QueryDefinition<C>;
  readonly hash: string | undefined;
}

/** A body as it is compared under its key; what was left out and what is undefined are the same. */
export function hashOfBody(body: object): string {
  return hashJson(JSON.parse(JSON.stringify(body)) as JsonObject);
}

/**
 * Creates something, or gives what the same key and body created before: what refuses the request by now
 * does not refuse its repeat. Throws what `create` throws, `idempotency_key_reused`, and
 * `workflow_unavailable` where nobody can tell whether it is there.
 *
 * @param create - resolves to `exists` where the workflow was there before
 */
export async function createOnce<C extends Created, T>(
  query: Temporal['query'],
  earlier: EarlierCreation<C>,
  create: () => Promise<T | 'exists'>,
  viewOf: (created: C) => T | Promise<T>,
): Promise<T> {
  const created = await create().catch(async (error: unknown) => {
    if (earlier.hash === undefined || refusalOf(error) === undefined) throw error;
    const first = await find(query, earlier);
    if (first === undefined) throw error;
    return viewOf(first);
  });
  if (created !== 'exists') return created;
  const first = await find(query, earlier);
  if (first === undefined) throw writeUnavailable();
  return viewOf(first);
}

async function find<C extends Created>(
  query: Temporal['query'],
  { workflowId, definition, hash }: EarlierCreation<C>,
): Promise<C | undefined> {
  const asked = await query(workflowId, definition);
  if (asked.kind === 'gone') return undefined;
  if (asked.kind === 'no_answer') throw writeUnavailable();
  if (asked.value.creation_hash !== hash) throw idempotencyKeyReused();
  return asked.value;
}
