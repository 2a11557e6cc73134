import assert from 'node:assert/strict';
import type { Proposal } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashOfSnapshot, migrate, takeSnapshot } from '../../../domain/approval/asking/snapshot.js';
import type { Snapshot, StoredSnapshot } from '../../../contracts/approval/snapshot.js';

const PROPOSAL: Proposal = {
  approval_id: '0b6a4a3e-1f0e-4a55-9d0a-111111111111',
  version: 1,
  kind: 'tool_approval',
  run_id: 'run-1',
  turn_index: 3,
  agent: 'bot',
  calls: [{ id: 'c1', tool: 'deploy', arguments: { env: 'prod' } }],
  prompt: 'Run it?',
  visible_context: {},
  route: 'human_required',
  risk_class: 'high',
};
const FIELDS = {
  agent: 'bot',
  run_id: 'run-1',
  turn_index: 3,
  event_position: 17,
  working_memory: { messages: [{ role: 'user', content: 'Deploy.' }] },
  proposals: [PROPOSAL],
};
const CURRENT = { schema_version: 'composer_v1', status: 'hibernated', ...FIELDS } as const;

function taken(rest: Partial<Record<keyof typeof FIELDS, unknown>> = {}): StoredSnapshot {
  const ruling = takeSnapshot({ ...FIELDS, ...rest } as typeof FIELDS);
  assert.ok(ruling.ok);
  return ruling.value;
}

function fieldOf(working_memory: unknown): readonly unknown[] {
  const ruling = takeSnapshot({ ...FIELDS, working_memory });
  assert.ok(!ruling.ok);
  return [ruling.refusal.code, ruling.refusal.field];
}

describe('the snapshot of an agent that waits', () => {
  it('has its place in the log, its memory, its proposals and its turn [A54-14, JC-60, JC-67, TM-14]', () => {
    assert.deepEqual(taken().snapshot, CURRENT);
  });

  it('has a hash over all of it [TM-14]', () => {
    const { snapshot, hash } = taken();
    assert.match(hash, /^[\da-f]{64}$/);
    assert.equal(hashOfSnapshot({ ...snapshot }), hash);
    const others: Partial<Snapshot>[] = [
      { agent: 'eve' },
      { run_id: 'run-2' },
      { turn_index: 4 },
      { event_position: 18 },
      { working_memory: {} },
      { proposals: [] },
    ];
    for (const other of others) assert.notEqual(hashOfSnapshot({ ...snapshot, ...other }), hash);
  });

  it('leaves out what cannot be stored, such as functions [JC-60, JC-61, TM-12]', () => {
    const working_memory = { note: 'kept', prompt: () => 'x', at: new Date(0) };
    assert.deepEqual(taken({ working_memory }).snapshot.working_memory, {
      note: 'kept',
      at: '1970-01-01T00:00:00.000Z',
    });
    assert.equal(taken({ working_memory: undefined }).snapshot.working_memory, null);
  });

  it('is refused with a memory that is no JSON at all', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const memory of [circle, { big: 1n }, () => 'x']) {
      assert.deepEqual(fieldOf(memory), ['invalid_request', 'working_memory']);
    }
  });

  it('is refused with the path to a number that JSON has as null', () => {
    for (const lost of [NaN, Infinity]) {
      const memory = { steps: [{ score: 1 }, { score: lost }] };
      assert.deepEqual(fieldOf(memory), ['invalid_request', 'working_memory.steps[1].score']);
    }
  });

  it('has 1 MB at most', () => {
    const { snapshot } = taken({ working_memory: '' });
    const rest = 1_048_576 - Buffer.byteLength(JSON.stringify(snapshot));
    assert.ok(taken({ working_memory: 'x'.repeat(rest) }));
    assert.deepEqual(fieldOf('x'.repeat(rest + 1)), ['state_too_large', 'working_memory']);
  });
});

describe('migrating a snapshot', () => {
  it('passes a current one unchanged [JC-68]', () => {
    const state = CURRENT as unknown as JsonObject;
    assert.deepEqual(migrate(state, 'composer_v1'), { ok: true, value: state });
  });

  it('brings an older one to the current form [JC-68, TM-18]', () => {
    const { proposals: _proposals, status: _status, schema_version: _version, ...rest } = CURRENT;
    const { event_position: _position, ...older } = rest;
    const upgraded = migrate(
      { ...rest, proposal: PROPOSAL } as unknown as JsonObject,
      'composer_v0',
    );
    assert.deepEqual(upgraded, { ok: true, value: CURRENT });
    const bare = migrate({ ...older, proposal: null }, 'composer_v0');
    assert.deepEqual(bare, {
      ok: true,
      value: { ...CURRENT, event_position: 0, proposals: [] },
    });
  });

  it('refuses a version that it does not know', () => {
    for (const version of ['composer_v2', '', 'toString']) {
      const ruling = migrate({}, version);
      assert.ok(!ruling.ok);
      assert.equal(ruling.refusal.accepted, 'composer_v0, composer_v1');
    }
  });
});
