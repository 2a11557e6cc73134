import { randomBytes } from 'node:crypto';
import type { ServerConfig } from '../contracts/server/config.js';
import { storedSnapshotSchema } from '../contracts/approval/snapshot.js';
import type { SavedSnapshot, StoredSnapshot } from '../contracts/approval/snapshot.js';
import { parseKnownFields } from '../contracts/kernel/unknown-fields.js';
import { hashOfSnapshot } from '../domain/approval/asking/snapshot.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies } from './dependencies.js';
import { refusal, refuseSecrets } from './inputs.js';

type Dependencies = Pick<ActivityDependencies, 'now'> & {
  readonly config: Pick<ServerConfig, 'suspension'>;
  readonly store: Pick<ActivityDependencies['store'], 'saveSnapshot'>;
};

const KEY_BYTES = 32;

/**
 * Stores the state of an agent before it waits, once; returns when that was first done, and a key for the logs of what is asked.
 * Throws a non-retryable ApplicationFailure whose type is an error code for a snapshot that is not in order, that has another
 * hash, or whose proposals seem to contain a credential.
 */
export async function saveSnapshot(
  { store, now, config }: Dependencies,
  given: unknown,
  space: string,
): Promise<SavedSnapshot> {
  const parsed = parseKnownFields(storedSnapshotSchema, given);
  if (!parsed.ok) throw refusal(parsed.refusal);
  // As it came: its hash covers names that the parser would leave out, such as `__proto__`.
  const stored = given as StoredSnapshot;
  if (hashOfSnapshot(stored.snapshot) !== stored.hash) {
    const detail = 'The snapshot has another hash.';
    throw refusal({ code: 'invalid_request', detail, field: 'hash' });
  }
  for (const { prompt, visible_context, calls } of stored.snapshot.proposals) {
    await refuseSecrets({ prompt, visible_context, calls }, config);
  }
  const saved_at = await store.saveSnapshot(stored, toInstant(now().getTime()), space);
  const log_key = randomBytes(KEY_BYTES).toString('base64url');
  return { saved_at, log_key, notes_mutations: true };
}
