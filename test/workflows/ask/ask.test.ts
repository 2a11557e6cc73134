import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { ParentClosePolicy } from '@temporalio/workflow';
import { TASK_QUEUE } from '../../../contracts/constants/names.js';
import type { AskReply } from '../../../contracts/suspension/by-name.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { lookUntil } from '../../support/looks.js';
import { endsCancelled, failureOf } from '../support/agents.js';
import { Askers, ENDS } from '../support/askers.js';
import { perSuite } from '../support/world.js';

/** A question of its own, which a test finds by its text. */
function newQuestion(more: object = {}) {
  return { question: `Refund ${randomUUID()}?`, response_type: 'confirm', ...more };
}

describe('the workflow type ask', () => {
  let askers: Askers;
  perSuite(Askers, (one) => (askers = one));

  it('returns what a person says to its parent, which is the asker', async () => {
    const argument = newQuestion();
    const parent = await askers.run('asksByName', 'ask', argument);
    const view = await askers.opened(argument.question);
    assert.equal(view.asked_by, parent.workflowId);
    await askers.answer(view, 'yes', 'paid twice');
    const { responded_at, settled_at, ...reply } = (await parent.result()) as unknown as AskReply;
    assert.deepEqual(reply, {
      suspension_id: view.id,
      resolution: 'responded',
      value: 'yes',
      approved: true,
      choice_label: 'Yes',
      choice_description: null,
      responded_by: 'alice',
      comment: 'paid twice',
      data: null,
      metadata: null,
      approvals: null,
    });
    assert.equal(responded_at, settled_at);
  });

  it('needs no parent: then it is the asker itself, under any workflow id', async () => {
    const argument = newQuestion({ response_type: 'text' });
    const ask = await askers.begin('ask', argument);
    const view = await askers.opened(argument.question);
    assert.equal(view.asked_by, ask.workflowId);
    await askers.answer(view, 'because');
    const { value, approved } = (await ask.result()) as AskReply;
    assert.deepEqual([value, approved], ['because', null]);
  });

  it('returns the fallback where nobody answers in time, and fails without one', async () => {
    const silent = { timeout_seconds: 60 };
    const returns = newQuestion({
      ...silent,
      fallback_policy: 'complete_with_fallback',
      fallback_value: 'no',
    });
    const throws = newQuestion(silent);
    const replied = await askers.begin('ask', returns);
    const failed = await askers.begin('ask', throws);
    await Promise.all([returns, throws].map(({ question }) => askers.opened(question)));
    await askers.world.sleep('61 s');
    const { resolution, value, approved, responded_by } = (await replied.result()) as AskReply;
    assert.deepEqual([resolution, value, approved, responded_by], ['expired', 'no', false, null]);
    assert.equal((await failureOf(failed)).type, 'InputTimeoutError');
  });

  it('fails where somebody withdraws the question', async () => {
    const argument = newQuestion();
    const ask = await askers.begin('ask', argument);
    const { id } = await askers.opened(argument.question);
    await askers.world.suspension(id).cancel();
    const { type, details } = await failureOf(ask);
    assert.equal(type, 'InputCancelledError');
    const [{ suspension }] = details as [{ suspension: { id: string; resolution: string } }];
    assert.deepEqual([suspension.id, suspension.resolution], [id, 'cancelled']);
  });

  const WRONG: readonly (readonly [string, unknown, string | undefined])[] = [
    ['no object', 'Refund?', undefined],
    ['nothing', undefined, undefined],
    ['an unknown field', newQuestion({ timout_seconds: 60 }), 'timout_seconds'],
    ['another asker', newQuestion({ asked_by: 'somebody' }), 'asked_by'],
    ['hooks', newQuestion({ hooks: { onInputRequested: 'asked' } }), 'hooks'],
    ['no text as its key', newQuestion({ request_key: 7 }), 'request_key'],
    ['an empty space', newQuestion({ space: '' }), 'space'],
    ['no question', { response_type: 'confirm' }, 'question'],
  ];
  for (const [what, argument, field] of WRONG) {
    it(`refuses ${what}, and asks nobody`, async () => {
      const before = askers.world.activities.rows.length;
      const { type, details } = await failureOf(await askers.begin('ask', argument));
      assert.equal(type, 'invalid_request');
      const [refusal] = details as [Refusal];
      assert.equal(refusal.field, field);
      assert.ok(refusal.accepted, 'it says what is accepted');
      assert.equal(askers.world.activities.rows.length, before);
    });
  }

  it('refuses choices with their own code', async () => {
    const ask = await askers.begin('ask', newQuestion({ response_type: 'choice', choices: [] }));
    assert.equal((await failureOf(ask)).type, 'invalid_choices');
  });
});

describe('a question that a workflow asks by ask', () => {
  let askers: Askers;
  perSuite(Askers, (one) => (askers = one));

  for (const policy of [undefined, ParentClosePolicy.REQUEST_CANCEL]) {
    for (const key of [undefined, 'refund']) {
      const how = `${key === undefined ? 'without' : 'with'} a key, the policy ${policy ?? 'of the SDK'}`;
      for (const [what, onward, end] of ENDS) {
        it(`is withdrawn when its parent ${what}: ${how}`, async () => {
          const argument = newQuestion({ request_key: key });
          const parent = await askers.run('asksByName', 'ask', argument, onward, policy);
          const view = await askers.opened(argument.question);
          await end(parent);
          const { resolution } = await askers.ended(view);
          assert.equal(resolution, 'cancelled');
        });
      }
    }

    const as = `the policy ${policy ?? 'of the SDK'}`;

    it(`goes on under its key when its parent continues as new: ${as}`, async () => {
      const argument = newQuestion({ request_key: 'refund' });
      const parent = await askers.run('asksByName', 'ask', argument, 'continues', policy);
      const view = await askers.opened(argument.question);
      await askers.movedOn(parent);
      await askers.answer(view, 'yes');
      const { value, suspension_id } = (await parent.result()) as unknown as AskReply;
      assert.deepEqual([value, suspension_id], ['yes', view.id]);
      assert.equal(askers.asked(argument.question).length, 1);
    });

    it(`is withdrawn when the run that goes on is terminated: ${as}`, async () => {
      const argument = newQuestion({ request_key: 'refund' });
      const parent = await askers.run('asksByName', 'ask', argument, 'continues', policy);
      const view = await askers.opened(argument.question);
      await askers.movedOn(parent);
      await askers.world.client.getHandle(parent.workflowId).terminate();
      assert.equal((await askers.ended(view)).resolution, 'cancelled');
    });
  }

  it('has the same answer for whoever asks it again under its key, also when it is gone', async () => {
    const argument = newQuestion({ request_key: 'once' });
    const workflowId = `any-id/${randomUUID()}`;
    const start = () =>
      askers.world.client.start('ask', { workflowId, taskQueue: TASK_QUEUE, args: [argument] });
    const first = await start();
    const view = await askers.opened(argument.question);
    await askers.answer(view, 'no');
    const reply = (await first.result()) as AskReply;
    await askers.ended(view);
    assert.deepEqual(await (await start()).result(), reply);
    assert.equal(askers.asked(argument.question).length, 1);
  });

  it('is another question with another text, or of another asker, under the same key', async () => {
    const argument = newQuestion({ request_key: 'same' });
    const asks = await Promise.all([askers.begin('ask', argument), askers.begin('ask', argument)]);
    await lookUntil(async () => askers.asked(argument.question).length === 2, 'not two questions');
    await Promise.all(asks.map((ask) => ask.cancel()));
    assert.deepEqual(await Promise.all(asks.map((ask) => endsCancelled(ask))), [true, true]);
  });
});

/** A server has the last word on what becomes of children. */
describe('a question that a workflow asks by ask, on a server', () => {
  let askers: Askers;
  perSuite(Askers, (one) => (askers = one), { on: 'dev server' });

  it('is withdrawn when its parent times out', async () => {
    const argument = newQuestion();
    // Where the machine is so slow that nobody was asked in time, nothing is to be withdrawn.
    for (const workflowExecutionTimeout of ['5 s', '20 s', '80 s'] as const) {
      const parent = await askers.world.client.start('asksByName', {
        workflowId: `agent-${randomUUID()}`,
        taskQueue: 'agents',
        args: ['ask', argument],
        workflowExecutionTimeout,
      });
      await assert.rejects(parent.result(), /timed out|failed/i);
      if (askers.asked(argument.question).length > 0) break;
    }
    const view = await askers.opened(argument.question);
    assert.equal((await askers.ended(view)).resolution, 'cancelled');
  });

  it('goes on under its key when its parent continues as new, and is withdrawn when that is terminated', async () => {
    const argument = newQuestion({ request_key: 'refund' });
    const parent = await askers.run('asksByName', 'ask', argument, 'continues');
    const view = await askers.opened(argument.question);
    await askers.movedOn(parent);
    await askers.takenOver(view);
    await askers.world.client.getHandle(parent.workflowId).terminate();
    assert.equal((await askers.ended(view)).resolution, 'cancelled');
  });
});
