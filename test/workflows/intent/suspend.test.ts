import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import { cancelUpdate, recordQuery } from '../../../workflows/suspension/messages.js';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import { everythingOf, logOf, refusalOf, snapshotOf, storyOf } from '../support/intents.js';
import { lookUntil } from '../../support/looks.js';
import { perSuite, World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

describe('intent suspend', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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

  it('refuses a second question without naming the first [AM-32, R25-86]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(world.ask(handle, { question: 'And this?' }));
    assert.equal(refusal.code, 'intent_suspended');
    assert.ok(!JSON.stringify(refusal).includes(view.id));
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('lets one of two questions at once through [AM-32, R25-13]', async () => {
    const handle = await world.openIntent();
    const asked = await Promise.allSettled([world.ask(handle), world.ask(handle)]);
    assert.deepEqual(asked.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(await storyOf(world, handle), ['intent.suspended']);
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

    it('finds a settled question again, with its outcome', async () => {
      const handle = await world.openIntent();
      const view = await world.ask(handle, {}, 'the key');
      await world.respond(view);
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
  });
});
