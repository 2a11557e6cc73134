import { SNAPSHOT_VERSION } from '../../../contracts/constants/approvals.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { Snapshot, StoredSnapshot } from '../../../contracts/approval/snapshot.js';
import { hashJson } from '../../kernel/hashing.js';
import { fieldAt, jsonBytes, lostNumberIn } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';

/**
 * Makes a snapshot without what JSON cannot represent, such as functions (JC-60). Refuses `invalid_request` for a
 * working memory that is not JSON or has a number that JSON would write as null, and `state_too_large` beyond 1 MB.
 */
export function takeSnapshot(
  fields: Omit<Snapshot, 'schema_version' | 'status' | 'working_memory'> & {
    readonly working_memory: unknown;
  },
): Ruling<StoredSnapshot> {
  const { working_memory: given, ...rest } = fields;
  const working_memory = asJson(given);
  if (working_memory === undefined) {
    return refuse('invalid_request', 'The working memory cannot be stored.', {
      field: 'working_memory',
      accepted: 'JSON values without circles',
    });
  }
  const lost = lostNumberIn(given);
  if (lost !== undefined) {
    return refuse('invalid_request', 'The working memory would be stored with another value.', {
      field: fieldAt('working_memory', lost),
      accepted: 'a finite number',
    });
  }
  const snapshot: Snapshot = {
    schema_version: SNAPSHOT_VERSION,
    status: 'hibernated',
    ...rest,
    working_memory,
  };
  if (jsonBytes(snapshot) > LIMITS.snapshotBytes) {
    return refuse('state_too_large', 'The snapshot of the agent is too large.', {
      field: 'working_memory',
      accepted: `at most ${LIMITS.snapshotBytes} bytes of JSON with the proposals`,
    });
  }
  return ok({ snapshot, hash: hashOfSnapshot(snapshot) });
}

function asJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value ?? null) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

export function hashOfSnapshot(snapshot: Snapshot): string {
  return hashJson(snapshot as unknown as JsonValue);
}

const UPGRADES: Readonly<
  Record<string, { readonly to: string; readonly upgrade: (state: JsonObject) => JsonObject }>
> = {
  /** The oldest version has one proposal and no status. */
  composer_v0: {
    to: 'composer_v1',
    upgrade: ({ proposal, ...state }) => ({
      ...state,
      schema_version: 'composer_v1',
      status: 'hibernated',
      event_position: state['event_position'] ?? 0,
      proposals: isObject(proposal) ? [proposal] : [],
    }),
  },
};

/**
 * Upgrades a snapshot to the current version, step by step (JC-68). Refuses `invalid_request` for an unknown version,
 * which a later release may have written.
 */
export function migrate(state: JsonObject, version: string): Ruling<JsonObject> {
  if (version === SNAPSHOT_VERSION) return ok(state);
  const step = Object.hasOwn(UPGRADES, version) ? UPGRADES[version] : undefined;
  if (step === undefined) {
    return refuse('invalid_request', 'The snapshot has a version that is not known.', {
      field: 'schema_version',
      accepted: [...Object.keys(UPGRADES), SNAPSHOT_VERSION].join(', '),
    });
  }
  return migrate(step.upgrade(state), step.to);
}
