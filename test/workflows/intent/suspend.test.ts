import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import {
  cancelUpdate,
  recordQuery,
  respondUpdate,
} from '../../../workflows/suspension/messages.js';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import {
  everythingOf,
  logOf,
  refusalOf,
  snapshotOf,
  storyOf,
  writeStatus,
} from '../support/intents.js';
import { lookUntil } from '../../support/looks.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

describe('intent suspend', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  const QUESTION = {
    channel_hint: 'slack',
    context: { order: 12 },
    fallback_policy: 'use_default_and_continue',
    fallback_value: 'deny',
    confidence: 0.6,
    retry_policy: {
      max_attempts: 2,
      interval_seconds: 60,
      escalation_ladder: [{ attempt: 1, channel_hint: 'email', notify_to: 'lead' }],
    },
  } as const satisfies Partial<SuspendBody>;

  it('keeps the record in the state and counts two versions [R25-05, R25-34, TM-05]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle, QUESTION);
    const { intent } = await snapshotOf(handle);
    assert.equal(intent.status, 'suspended_awaiting_input');
    assert.equal(intent.version, 3);
    assert.deepEqual(intent.state, { _suspension: view.record });
    assert.equal(intent.updated_at, view.record.suspended_at);
    assert.deepEqual((await world.suspension(view.id).query(recordQuery)).record, view.record);
  });

  it('logs the question, then the escalation of attempt 1 [R25-13, AM-10, AM-27]', async () => {
    const handle = await world.openIntent();
    const { record } = await world.ask(handle, QUESTION);
    const [, suspended, escalated, ...rest] = await logOf(world, handle);
    assert.deepEqual(rest, []);
    assert.equal(suspended?.event_type, 'intent.suspended');
    assert.equal(suspended.actor, 'agent-1');
    assert.deepEqual(suspended.payload, {
      suspension_id: record.id,
      question: 'Refund?',
      response_type: 'choice',
      choices: record.choices,
      channel_hint: 'slack',
      expires_at: new Date(Date.parse(record.suspended_at) + 120_000).toISOString(),
      fallback_policy: 'use_default_and_continue',
      confidence_at_suspension: 0.6,
      retry_policy: record.retry_policy,
    });
    assert.equal(escalated?.event_type, 'intent.suspension_escalated');
    assert.deepEqual(escalated.payload, {
      suspension_id: record.id,
      attempt: 1,
      escalated_to: 'lead',
      channel_hint: 'email',
    });
  });

  it('asks from no status but active [R25-05, R25-86]', async () => {
    const draft = await world.openIntent({ status: 'draft' });
    const blocked = await world.openIntent();
    await writeStatus(blocked, 'blocked');
    for (const handle of [draft, blocked]) {
      const before = await everythingOf(world, handle);
      assert.equal((await refusalOf(world.ask(handle))).code, 'intent_not_active');
      assert.deepEqual(await everythingOf(world, handle), before);
    }
  });

  it('asks nothing of a completed intent [R25-05]', async () => {
    const handle = await world.openIntent();
    await logOf(world, handle);
    world.activities.storeIsDown = true;
    await writeStatus(handle, 'completed');
    const before = await snapshotOf(handle);
    assert.equal((await refusalOf(world.ask(handle))).code, 'intent_closed');
    assert.deepEqual(await snapshotOf(handle), before);
    world.activities.storeIsDown = false;
    await handle.result();
  });

  it('refuses a second question without naming the first [AM-32, R25-86]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(world.ask(handle, { question: 'And this?' }));
    assert.equal(refusal.code, 'intent_suspended');
    assert.ok(!JSON.stringify(refusal).includes(view.id));
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('lets one of two questions at once through [AM-32]', async () => {
    const handle = await world.openIntent();
    const asked = await Promise.allSettled([world.ask(handle), world.ask(handle)]);
    assert.deepEqual(asked.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(await storyOf(world, handle), ['intent.suspended']);
  });

  it('refuses a question that does not fit the state', async () => {
    const handle = await world.openIntent();
    const { intent } = await snapshotOf(handle);
    const full = await world.openIntent({
      intent: { ...intent, id: randomUUID(), state: { filler: 'x'.repeat(520_000) } },
    });
    const before = await everythingOf(world, full);
    const refusal = await refusalOf(world.ask(full, { context: { long: 'x'.repeat(10_000) } }));
    assert.equal(refusal.code, 'state_too_large');
    assert.deepEqual(await everythingOf(world, full), before);
  });

  it('suspends again and again, each time under a new id [R25-08]', async () => {
    const handle = await world.openIntent();
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const view = await world.ask(handle, { question: `Round ${round}?` });
      ids.push(view.id);
      const args: [Awaited<ReturnType<World['answer']>>] = [await world.answer(view)];
      await world.suspension(view.id).executeUpdate(respondUpdate, { args });
    }
    assert.equal(new Set(ids).size, 3);
    const pair = ['intent.suspended', 'intent.resumed'];
    assert.deepEqual(await storyOf(world, handle), [...pair, ...pair, ...pair]);
    const log = await logOf(world, handle);
    assert.deepEqual(
      log.slice(1).map(({ payload }) => payload['suspension_id']),
      ids.flatMap((id) => [id, id]),
    );
    assert.equal((await snapshotOf(handle)).intent.version, 13);
  });

  describe('under a request_key', () => {
    it('gives calls that come while it opens the same question', async () => {
      const handle = await world.openIntent();
      const views = await Promise.all(
        Array.from({ length: 5 }, () => world.ask(handle, {}, 'the key')),
      );
      assert.equal(new Set(views.map(({ id }) => id)).size, 1);
      assert.deepEqual(await storyOf(world, handle), ['intent.suspended']);
      for (const { id } of views) await world.suspension(id).query(recordQuery);
    });

    it('says that it has re-attached', async () => {
      const handle = await world.openIntent();
      const { record } = await world.ask(handle, {}, 'the key');
      const { id, suspended_at, ...draft } = record;
      const request = { key: 'the key', body_hash: 'the key' };
      const input = { ...sent('agent-1'), draft, request };
      const receipt = await handle.executeUpdate(suspendUpdate, { args: [input] });
      assert.deepEqual(receipt, { suspension_id: id, reattached: true });
      assert.ok(suspended_at);
    });

    it('finds a settled question again, with its outcome', async () => {
      const handle = await world.openIntent();
      const view = await world.ask(handle, {}, 'the key');
      const answer = await world.answer(view);
      await world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
      const before = await lookUntil(async () => {
        const log = await logOf(world, handle);
        return log.at(-1)?.event_type === 'intent.resumed' && log;
      }, 'the intent has not heard of the answer');
      const again = await world.ask(handle, {}, 'the key');
      assert.equal(again.id, view.id);
      assert.equal(again.record.response, 'approve');
      assert.deepEqual(await logOf(world, handle), before);
    });

    it('refuses the key for another question, open or not [R25-86]', async () => {
      const handle = await world.openIntent();
      const view = await world.ask(handle, {}, 'the key');
      const { id, ...draft } = view.record;
      const request = { key: 'the key', body_hash: 'another' };
      const input = { ...sent('agent-1'), draft, request };
      const attempt = () => refusalOf(handle.executeUpdate(suspendUpdate, { args: [input] }));
      const open = await everythingOf(world, handle);
      assert.equal((await attempt()).code, 'request_key_reused');
      assert.deepEqual(await everythingOf(world, handle), open);
      const cancel = {
        intent_id: view.intent_id,
        by: caller('agent-1'),
      } as const;
      await world.suspension(id).executeUpdate(cancelUpdate, { args: [cancel] });
      // An Update waits until the intent has heard of the end.
      assert.equal((await attempt()).code, 'request_key_reused');
      const settled = await everythingOf(world, handle);
      assert.equal((await attempt()).code, 'request_key_reused');
      assert.deepEqual(await everythingOf(world, handle), settled);
    });

    it('opens another question under another key', async () => {
      const handle = await world.openIntent();
      const first = await world.ask(handle, {}, 'key 1');
      const answer = await world.answer(first);
      await world.suspension(first.id).executeUpdate(respondUpdate, { args: [answer] });
      const second = await world.ask(handle, {}, 'key 2');
      assert.notEqual(second.id, first.id);
    });
  });
});
