import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { StatePatch } from '../../../contracts/intent/intent.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import {
  appendEventUpdate,
  patchStateUpdate,
  setStatusUpdate,
  suspendUpdate,
} from '../../../workflows/intent/messages.js';
import { recordQuery, respondUpdate } from '../../../workflows/suspension/messages.js';
import {
  everythingOf,
  insist,
  logOf,
  refusalOf,
  snapshotOf,
  storyOf,
  versionOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { perSuite, World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';
import { untilNextRun } from '../support/histories.js';

const ASKING = { by: caller('agent-1'), actor: 'refunder', openintent_ask: true } as const;
const HOUR_SECONDS = 3_600;

describe('the OpenIntent ask', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** A record as the SDK writes it: naive times with microseconds, empty fields of the ladder. */
  async function submitted(fields: JsonObject = {}): Promise<JsonObject & { id: string }> {
    const naive = (ms: number) => new Date(ms).toISOString().replace('Z', '456');
    const now = await world.now();
    return {
      id: randomUUID(),
      question: 'Refund?',
      response_type: 'choice',
      context: {},
      fallback_policy: 'fail',
      choices: [
        { value: 'approve', label: 'Approve' },
        { value: 'deny', label: 'Deny' },
      ],
      suspended_at: naive(now),
      expires_at: naive(now + 2 * HOUR_SECONDS * 1_000),
      retry_policy: {
        max_attempts: 2,
        interval_seconds: HOUR_SECONDS,
        strategy: 'linear',
        final_fallback_policy: 'use_default_and_continue',
        escalation_ladder: [{ attempt: 2, channel_hint: 'email', notify_to: '' }],
      },
      fallback_value: 'deny',
      ...fields,
    };
  }

  async function suspends(handle: IntentHandle, status = 'suspended_awaiting_input' as const) {
    const input = { ...ASKING, status, if_match: await versionOf(handle) };
    return handle.executeUpdate(setStatusUpdate, { args: [input] });
  }

  async function writes(handle: IntentHandle, ...patches: StatePatch[]) {
    const input = { ...ASKING, patches, if_match: await versionOf(handle) };
    return handle.executeUpdate(patchStateUpdate, { args: [input] });
  }

  const set = (value: JsonObject) => ({ op: 'set', path: '_suspension', value }) as const;

  async function asks(handle: IntentHandle, fields: JsonObject = {}) {
    await suspends(handle);
    const record = await submitted(fields);
    await writes(handle, set(record));
    await world.delivered(record.id);
    return record;
  }

  async function answers(id: string, intentId: string, value: string) {
    const answer = {
      intent_id: intentId,
      value,
      responded_by: 'alice',
      by: caller('alice', 'operator'),
      received_at: new Date(await world.now()).toISOString(),
      answer: { key: randomUUID(), body_hash: 'hash' },
    };
    return world.suspension(id).executeUpdate(respondUpdate, { args: [answer] });
  }

  async function post(handle: IntentHandle, event_type: string, payload: JsonObject) {
    const draft = { by: caller('agent-1'), actor: 'refunder', event_type, payload };
    return handle.executeUpdate(appendEventUpdate, { args: [draft] });
  }

  const payloads = (events: readonly IntentEvent[], type: string) =>
    events.filter(({ event_type }) => event_type === type).map(({ payload }) => payload);

  it('opens with the status first, from draft too, and keeps the record as submitted [AM-33, R25-05]', async () => {
    for (const status of ['draft', 'active'] as const) {
      const handle = await world.openIntent({ status });
      assert.equal((await suspends(handle)).version, 2);
      const record = await submitted();
      assert.equal((await writes(handle, set(record))).version, 3);
      const { intent } = await snapshotOf(handle);
      assert.equal(intent.status, 'suspended_awaiting_input');
      assert.deepEqual(intent.state, { _suspension: record });
      const story = ['status_changed', 'state_patched', 'intent.suspended'];
      assert.deepEqual(await storyOf(world, handle), story);
      const [, ...events] = await logOf(world, handle);
      assert.deepEqual([...new Set(events.map(({ actor }) => actor))], ['refunder']);
      const view = await world.suspension(record.id).query(recordQuery);
      assert.deepEqual([view.asked_by, view.max_attempts], ['agent-1', 2]);
      assert.equal(view.record.fallback_policy, 'use_default_and_continue');
    }
  });

  it('opens with the record first', async () => {
    const handle = await world.openIntent();
    const record = await submitted();
    await writes(handle, set(record));
    assert.equal((await snapshotOf(handle)).intent.status, 'active');
    assert.deepEqual(await storyOf(world, handle), ['state_patched']);
    await suspends(handle);
    const story = ['state_patched', 'status_changed', 'intent.suspended'];
    assert.deepEqual(await storyOf(world, handle), story);
    assert.equal((await world.suspension(record.id).query(recordQuery)).state, 'pending');
  });

  it('puts the answer into the submitted record, two versions on', async () => {
    const handle = await world.openIntent();
    const record = await asks(handle);
    const { intent } = await snapshotOf(handle);
    await answers(record.id, intent.id, 'approve');
    const { intent: after } = await snapshotOf(handle);
    assert.deepEqual([after.status, after.version], ['active', intent.version + 2]);
    const { settled_at, responded_at, ...settled } = after.state['_suspension'] as JsonObject;
    assert.ok(settled_at);
    assert.equal(settled_at, responded_at);
    assert.deepEqual(settled, {
      ...record,
      resolution: 'responded',
      response: 'approve',
      settled_by: 'operator',
      responded_by: 'alice',
      submitted_by: 'alice',
    });
    assert.equal((await storyOf(world, handle)).at(-1), 'intent.resumed');
  });

  it('waits for its record, goes on without, or is abandoned', async () => {
    const handle = await world.openIntent();
    await suspends(handle);
    await suspends(handle);
    await writes(handle, { op: 'set', path: 'note', value: 1 });
    const question = { ...sent('agent-1'), draft: { question: 'x' } } as never;
    const native = refusalOf(handle.executeUpdate(suspendUpdate, { args: [question] }));
    assert.equal((await native).code, 'intent_suspended');
    const input = { ...ASKING, status: 'active' as const, if_match: await versionOf(handle) };
    await handle.executeUpdate(setStatusUpdate, { args: [input] });
    assert.equal((await snapshotOf(handle)).intent.status, 'active');
    await suspends(handle);
    await writeStatus(handle, 'abandoned');
    await handle.result();
  });

  it('leaves the record of an open question alone [R25-86]', async () => {
    const handle = await world.openIntent();
    const record = await asks(handle);
    await writes(handle, set(record), { op: 'set', path: 'note', value: 1 });
    const before = await everythingOf(world, handle);
    const refused: StatePatch[] = [
      set({ ...record, question: 'Another?' }),
      set(await submitted()),
      { op: 'set', path: '_suspension/resolution', value: 'responded' },
      set({ ...record, resolution: 'expired' }),
      { op: 'remove', path: '/_suspension' },
      { op: 'append', path: '_suspension/choices', value: {} },
    ];
    for (const patch of refused) {
      assert.equal((await refusalOf(writes(handle, patch))).code, 'invalid_patch');
    }
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('is settled by the clock when the agent is gone', async () => {
    const handle = await world.openIntent();
    await asks(handle);
    await world.sleep(2 * HOUR_SECONDS * 1_000 + 2_000);
    const { intent } = await snapshotOf(handle);
    const record = intent.state['_suspension'] as JsonObject;
    assert.deepEqual([intent.status, record['resolution']], ['active', 'expired']);
    assert.deepEqual((await storyOf(world, handle)).slice(3), [
      'intent.suspension_renotified',
      'intent.suspension_escalated',
      'intent.suspension_expired',
      'status_changed',
    ]);
    const events = await logOf(world, handle);
    const actors = events.slice(4).map(({ actor }) => actor);
    assert.deepEqual(actors, ['refunder', 'refunder', 'holdpoint', 'holdpoint']);
  });

  describe('with events of agent and server', () => {
    it('keeps the events of the server where the agent posts later', async () => {
      const handle = await world.openIntent();
      const { id } = await asks(handle);
      await world.sleep(HOUR_SECONDS * 1_000 + 2_000);
      const before = await logOf(world, handle);
      const suspended = await post(handle, 'intent.suspended', {
        suspension_id: id,
        question: 'x',
      });
      const posted = { suspension_id: id, attempt: 2 };
      const renotified = await post(handle, 'intent.suspension_renotified', { ...posted, x: 1 });
      const escalation = { ...posted, channel_hint: 'email', escalated_to: null };
      const escalated = await post(handle, 'intent.suspension_escalated', escalation);
      for (const event of [suspended, renotified, escalated]) {
        assert.deepEqual(
          event,
          before.find(({ id: each }) => each === event.id),
        );
      }
      assert.deepEqual(await logOf(world, handle), before);
      await post(handle, 'intent.suspension_escalated', { ...escalation, escalated_to: 'bob' });
      assert.equal(payloads(await logOf(world, handle), 'intent.suspension_escalated').length, 2);
    });

    it('keeps the events of the agent where it posts first', async () => {
      const handle = await world.openIntent();
      const record = await submitted();
      const posted = { suspension_id: record.id, by: 'agent' };
      await post(handle, 'intent.suspended', posted);
      await suspends(handle);
      await writes(handle, set(record));
      const renotified = { ...posted, attempt: 2 };
      await post(handle, 'intent.suspension_renotified', renotified);
      await post(handle, 'intent.suspension_renotified', renotified);
      await world.sleep(HOUR_SECONDS * 1_000 + 2_000);
      const events = await logOf(world, handle);
      assert.deepEqual(payloads(events, 'intent.suspended'), [posted]);
      assert.deepEqual(payloads(events, 'intent.suspension_renotified'), [renotified]);
      assert.equal(payloads(events, 'intent.suspension_escalated').length, 1);
    });

    it('remembers them in a new run', async () => {
      const handle = await world.openIntent({ history_limit: 20 });
      const { id } = await asks(handle);
      const story = await storyOf(world, handle);
      await untilNextRun(handle, async (note) => {
        await insist(() => post(handle, 'note', { note }));
      });
      await insist(() => post(handle, 'intent.suspended', { suspension_id: id }));
      const later = (await storyOf(world, handle)).filter((type) => type !== 'note');
      assert.deepEqual(
        later,
        story.filter((type) => type !== 'note'),
      );
    });
  });
});
