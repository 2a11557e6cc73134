import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { saveSnapshot } from '../../activities/agent-calls.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type { StoredSnapshot } from '../../contracts/approval/snapshot.js';
import { takeSnapshot } from '../../domain/approval/asking/snapshot.js';
import { proposalWith } from '../domain/approval/samples.js';
import { TOKEN } from '../support/secrets.js';

const CONFIG = serverConfigSchema.parse({});
const AT = '2026-11-24T10:00:00.000Z';
const FIELDS = { agent: 'bot', run_id: 'run-1', turn_index: 0, event_position: 7, proposals: [] };

function taken(working_memory: unknown = { messages: [] }, fields = {}): StoredSnapshot {
  const ruling = takeSnapshot({ ...FIELDS, working_memory, ...fields });
  assert.ok(ruling.ok);
  return ruling.value;
}

/** What was stored, and what the activity returned. */
async function save(given: unknown, kept: unknown[] = []) {
  const store = {
    saveSnapshot: async (snapshot: StoredSnapshot, at: string, space: string) => {
      kept.push(snapshot, space);
      return at;
    },
  };
  const saving = saveSnapshot({ store, now: () => new Date(AT), config: CONFIG }, given, 'team-b');
  return { ...(await saving), kept };
}

describe('storing the snapshot of an agent', () => {
  it('keeps it, and says when [A54-14]', async () => {
    const stored = taken();
    const { log_key, notes_mutations, ...saved } = await save(stored);
    assert.equal(notes_mutations, true);
    assert.deepEqual(saved, { saved_at: AT, kept: [stored, 'team-b'] });
    assert.match(log_key, /^[\w-]{43}$/);
  });

  it('keeps names that only JSON can have', async () => {
    const stored = taken(JSON.parse('{"__proto__": {"a": 1}}'));
    const { kept } = await save(stored);
    assert.equal(JSON.stringify(kept[0]), JSON.stringify(stored));
  });

  for (const [field, changed] of [
    ['prompt', { prompt: `Use ${TOKEN}?` }],
    ['visible_context.env', { visible_context: { env: TOKEN } }],
  ] as const) {
    it(`refuses a proposal whose ${field} has what looks like a credential, and stores nothing`, async () => {
      const kept: unknown[] = [];
      const proposals = [proposalWith(changed)];
      const error: unknown = await save(taken({}, { proposals }), kept).catch(
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ApplicationFailure);
      const [refused] = error.details as [{ field: string }];
      assert.deepEqual([error.type, refused.field, kept], ['secret_refused', field, []]);
    });
  }

  const { snapshot, hash } = taken();
  for (const [what, given, field] of [
    ['another hash', { snapshot: { ...snapshot, turn_index: 1 }, hash }, 'hash'],
    [
      'a version that is not current',
      { snapshot: { ...snapshot, schema_version: 'x' }, hash },
      'snapshot.schema_version',
    ],
    [
      'no memory at all',
      { snapshot: { ...snapshot, working_memory: undefined }, hash },
      'snapshot.working_memory',
    ],
  ] as const) {
    it(`refuses ${what} [TM-14]`, async () => {
      const error: unknown = await save(given).catch((reason: unknown) => reason);
      assert.ok(error instanceof ApplicationFailure);
      const [refused] = error.details as [{ field: string }];
      assert.deepEqual(
        [error.type, error.nonRetryable, refused.field],
        ['invalid_request', true, field],
      );
    });
  }
});
