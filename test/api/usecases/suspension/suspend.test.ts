import assert from 'node:assert/strict';
import type { SuspendInput } from '../../../../workflows/intent/messages.js';
import {
  INTENT_ID,
  SUSPENSION_ID,
  closed,
  hanging,
  intentOf,
  refusalFrom,
  settledView,
  updateRefused,
  viewOf,
  type FakeCall,
} from '../../support/fakes.js';
import { askingBench } from './asking-bench.js';

const QUESTION = {
  question: 'Refund?',
  response_type: 'confirm',
  request_key: 'refund-1',
} as const;

const open = () => ({
  suspension_id: SUSPENSION_ID,
  reattached: false,
  view: viewOf(),
  rows: [{ kind: 'memory of a row' }],
});

describe('asking a question', () => {
  it('resolves it with the platform default and returns what was opened [R26-02, R26-72]', async () => {
    const { suspend, sent, touched } = askingBench(open);
    const asked = await suspend(QUESTION);
    assert.deepEqual(asked, { created: true, view: viewOf(), warnings: [] });
    const input = sent()[0]?.args[0] as SuspendInput;
    assert.equal(input.actor, 'agent-1');
    assert.equal(input.draft.retry_policy?.max_attempts, 2);
    assert.equal(input.request?.key, 'refund-1');
    assert.deepEqual(
      [input.sender_writes, touched],
      [true, [INTENT_ID, `${SUSPENSION_ID} pending`, `1 rows of ${INTENT_ID}`]],
    );
  });

  it('judges the fallback, so that no workflow has to', async () => {
    const { suspend, sent } = askingBench(open);
    await suspend(QUESTION);
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'mars' } as const;
    const plain = { ...QUESTION, retry_policy: null, inherit_retry_policy: false };
    await suspend({ ...plain, ...fallback });
    const inputs = sent().map(({ args }) => args[0] as SuspendInput);
    assert.deepEqual(
      inputs.map(({ findings }) => findings?.fallback_value_valid),
      [undefined, false],
    );
  });

  it('reads the suspension as it stands on re-attaching', async () => {
    const reattach = () => ({ suspension_id: SUSPENSION_ID, reattached: true });
    const { suspend } = askingBench(reattach, intentOf(), settledView());
    const asked = await suspend(QUESTION);
    assert.deepEqual(asked, { created: false, view: settledView(), warnings: [] });
  });

  it('distinguishes two bodies under one request_key', async () => {
    const { suspend, sent } = askingBench(open);
    await suspend(QUESTION);
    await suspend({ request_key: 'refund-1', response_type: 'confirm', question: 'Refund?' });
    await suspend({ ...QUESTION, question: 'Refund all?' });
    const hashes = sent().map(({ args }) => (args[0] as SuspendInput).request?.body_hash);
    assert.equal(hashes[0], hashes[1]);
    assert.notEqual(hashes[0], hashes[2]);
  });

  describe('under a key that the intent may have forgotten', () => {
    /** An intent that has had so many keys that it only takes one which the store does not know. */
    const forgetful = ({ args }: FakeCall) => {
      if ((args[0] as SuspendInput).is_new) return open();
      throw updateRefused({ code: 'request_key_forgotten', detail: 'forgotten' });
    };
    const kept = (known?: { readonly id: string; readonly request_hash: string | null }) => ({
      findRequest: () => Promise.resolve(known),
    });

    it('gives the question that the store has', async () => {
      const known = { id: SUSPENSION_ID, request_hash: null };
      const { suspend, sent } = askingBench(forgetful, intentOf(), settledView(), kept(known));
      const asked = await suspend(QUESTION);
      assert.deepEqual(asked, { created: false, view: settledView(), warnings: [] });
      assert.equal(sent().length, 1);
    });

    it('is refused for another question than the store has', async () => {
      const known = { id: SUSPENSION_ID, request_hash: 'another' };
      const { suspend } = askingBench(forgetful, intentOf(), settledView(), kept(known));
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'request_key_reused');
    });

    it('asks if the store has none', async () => {
      const { suspend, sent } = askingBench(forgetful, intentOf(), viewOf(), kept());
      assert.equal((await suspend(QUESTION)).created, true);
      assert.equal(sent().length, 2);
    });

    it('asks nobody twice while the store is away', async () => {
      const away = { findRequest: () => Promise.reject(new Error('the store is away')) };
      const { suspend, sent } = askingBench(forgetful, intentOf(), viewOf(), away);
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'store_unavailable');
      assert.equal(sent().length, 1);
    });
  });

  describe('while an earlier one is in the way', () => {
    const state = { _suspension: { id: SUSPENSION_ID } };
    const waiting = intentOf({ status: 'suspended_awaiting_input', state });

    /** An intent that refuses so many times. */
    const refusing = (times: number) => {
      let left = times;
      return () => {
        if (left-- > 0) throw updateRefused({ code: 'intent_suspended', detail: 'suspended' });
        return open();
      };
    };

    it('is refused, and sent once', async () => {
      const { suspend, sent } = askingBench(refusing(1), waiting);
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'intent_suspended');
      assert.equal(sent().length, 1);
    });

    it('is sent again where the intent goes on by then', async () => {
      const { suspend, sent } = askingBench(refusing(1), intentOf({ status: 'active' }));
      assert.equal((await suspend(QUESTION)).created, true);
      assert.equal(sent().length, 2);
    });

    it('is sent again once the intent was told that the earlier one is over', async () => {
      const { suspend, sent, described } = askingBench(
        refusing(1),
        waiting,
        settledView(),
        {},
        'team-b',
      );
      assert.equal((await suspend(QUESTION)).created, true);
      assert.deepEqual(
        [sent().length, described().map(({ workflowId }) => workflowId)],
        [2, [`team-b/intent-${INTENT_ID}`]],
      );
    });

    it('is sent twice at most', async () => {
      const { suspend, sent } = askingBench(refusing(2), intentOf({ status: 'active' }));
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'intent_suspended');
      assert.equal(sent().length, 2);
    });
  });

  it('warns of channels that are not configured, once each, and asks all the same', async () => {
    const { suspend, sent } = askingBench(open);
    const rung = (attempt: number, channel_hint: string) => ({ attempt, channel_hint });
    const escalation_ladder = [rung(1, 'slack'), rung(2, 'desk'), rung(2, 'pager')];
    const retry_policy = { escalation_ladder };
    const asked = await suspend({ ...QUESTION, channel_hint: 'slack', retry_policy });
    const notified = 'is not configured, so it notifies nobody; configured: mail, desk.';
    assert.deepEqual(asked.warnings, [
      `The channel slack ${notified}`,
      `The channel pager ${notified}`,
    ]);
    assert.equal(sent().length, 1);
  });

  it('warns of no channel that is configured', async () => {
    const { suspend } = askingBench(open);
    const asked = await suspend({ ...QUESTION, channel_hint: 'desk' });
    assert.deepEqual(asked.warnings, []);
  });

  it('sends no question that the rules refuse', async () => {
    const { suspend, sent } = askingBench(open);
    const refusal = await refusalFrom(suspend({ question: 'Which?', response_type: 'choice' }));
    assert.equal(refusal.code, 'invalid_choices');
    const fallback_value = 'x'.repeat(96 * 1_024);
    const large = await refusalFrom(suspend({ ...QUESTION, fallback_value }));
    assert.equal(large.code, 'question_too_large');
    assert.equal(sent().length, 0);
  });

  it('is unavailable without a worker', async () => {
    const { suspend, clock } = askingBench(hanging);
    const refused = refusalFrom(suspend(QUESTION));
    await clock.advance(10_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });

  it('is refused by an intent whose workflow has ended', async () => {
    const { suspend } = askingBench(closed, intentOf({ status: 'completed', version: 9 }));
    const { code, state } = await refusalFrom(suspend(QUESTION));
    assert.equal(code, 'intent_closed');
    assert.deepEqual(state, { intent_status: 'completed', current_version: 9 });
  });
});
