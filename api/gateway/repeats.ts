import type { QueryDefinition } from '@temporalio/common';
import type { JsonObject } from '../../contracts/json.js';
import { hashJson } from '../../domain/canonical.js';
import { refusalOf } from '../errors.js';
import type { Ask } from './queries.js';
import { idempotencyKeyReused, writeUnavailable } from './refusals.js';

/** What a workflow tells of how it was created. */
interface Created {
  readonly creation_hash?: string;
}

/** Where what a request creates is found again; `hash` is that of its body, where it has a key. */
interface Place<C extends Created> {
  readonly workflowId: string;
  readonly query: QueryDefinition<C>;
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
  ask: Ask,
  place: Place<C>,
  create: () => Promise<T | 'exists'>,
  viewOf: (created: C) => T | Promise<T>,
): Promise<T> {
  const created = await create().catch(async (error: unknown) => {
    if (place.hash === undefined || refusalOf(error) === undefined) throw error;
    const first = await find(ask, place);
    if (first === undefined) throw error;
    return viewOf(first);
  });
  if (created !== 'exists') return created;
  const first = await find(ask, place);
  if (first === undefined) throw writeUnavailable();
  return viewOf(first);
}

async function find<C extends Created>(
  ask: Ask,
  { workflowId, query, hash }: Place<C>,
): Promise<C | undefined> {
  const asked = await ask(workflowId, query);
  if (asked.kind === 'missing') return undefined;
  if (asked.kind === 'no_answer') throw writeUnavailable();
  if (asked.value.creation_hash !== hash) throw idempotencyKeyReused();
  return asked.value;
}
