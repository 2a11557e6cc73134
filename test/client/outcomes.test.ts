import assert from 'node:assert/strict';
import { InputCancelledError, InputTimeoutError, type InputResponse } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import { expired, INTENT_ID, ROUTES, settled, SUSPENSION_ID } from './support/samples.js';

const QUESTION = { question: 'Refund?' };

/** What onInputReceived gets for a settled view. */
async function received(view: object): Promise<InputResponse[]> {
  const responses: InputResponse[] = [];
  await withServer(async (server, pauses) => {
    server.on(ROUTES.wait, { body: view });
    const onInputReceived = (response: InputResponse): number => responses.push(response);
    await agentOf(server, pauses, { hooks: { onInputReceived } }).requestInput(INTENT_ID, QUESTION);
  });
  return responses;
}

describe('an answer', () => {
  it('reaches onInputReceived with the label of its choice [R25-94] [R25-97]', async () => {
    const responses = await received(settled({ metadata: { thread: 'T1' } }));

    assert.deepEqual(responses, [
      {
        suspension_id: SUSPENSION_ID,
        value: 'approve',
        choice_label: 'Approve refund',
        choice_description: 'Issue full refund',
        responded_by: 'alice',
        responded_at: '2026-03-24T11:30:00.000Z',
        metadata: { thread: 'T1' },
      },
    ]);
  });

  it('has the default label of a confirmation [R25-97]', async () => {
    const { choices: _choices, ...record } = settled().record;
    const confirm = { ...record, response_type: 'confirm', response: 'no' };
    const [response] = await received({ ...settled(), record: confirm });

    assert.equal(response?.choice_label, 'No');
    assert.ok(!('choice_description' in response));
  });

  it('has no label for free text [R25-97]', async () => {
    const { choices: _choices, ...record } = settled().record;
    const text = { ...record, response_type: 'text', response: 'yes' };
    const [response] = await received({ ...settled(), record: text });

    assert.equal(response?.value, 'yes');
    assert.ok(!('choice_label' in response));
  });

  it('comes after every request for it', () =>
    withServer(async (server, pauses) => {
      const order: string[] = [];
      const hooks = {
        onInputRequested: () => order.push('requested'),
        onInputReceived: () => order.push('received'),
        onSuspensionExpired: () => order.push('expired'),
      };
      await agentOf(server, pauses, { hooks }).requestInput(INTENT_ID, QUESTION);
      order.push('returned');

      assert.deepEqual(order, ['requested', 'received', 'returned']);
    }));
});

describe('silence', () => {
  async function outcome(view: object): Promise<{ result: unknown; calls: string[] }> {
    const calls: string[] = [];
    let result: unknown;
    await withServer(async (server, pauses) => {
      server.on(ROUTES.wait, { body: view });
      const hooks = {
        onInputReceived: () => calls.push('received'),
        onSuspensionExpired: ({ id }: { id: string }) => calls.push(`expired ${id}`),
      };
      result = await agentOf(server, pauses, { hooks })
        .requestInput(INTENT_ID, QUESTION)
        .catch((error: unknown) => error);
    });
    return { result, calls };
  }

  it('throws InputTimeoutError by the policy fail [R25-90] [R25-95] [TM-08]', async () => {
    const { result, calls } = await outcome(expired({ fallback_policy: 'fail' }));

    assert.ok(result instanceof InputTimeoutError);
    assert.equal(result.name, 'InputTimeoutError');
    assert.equal(result.code, 'input_timeout');
    assert.equal(result.intent_id, INTENT_ID);
    assert.equal(result.attempts, 3);
    assert.deepEqual(calls, [`expired ${SUSPENSION_ID}`]);
  });

  for (const fallback_policy of ['complete_with_fallback', 'use_default_and_continue'] as const) {
    for (const fallback_value of ['deny', false, 0, '', null]) {
      const shown = JSON.stringify(fallback_value);
      it(`returns ${shown} by ${fallback_policy} [R25-57] [R25-58] [R25-95]`, async () => {
        const { result, calls } = await outcome(expired({ fallback_policy, fallback_value }));

        assert.equal(result, fallback_value);
        assert.deepEqual(calls, [`expired ${SUSPENSION_ID}`]);
      });
    }

    it(`returns null by ${fallback_policy} without a value`, async () => {
      const { result } = await outcome(expired({ fallback_policy }));
      assert.equal(result, null);
    });
  }

  it('throws InputCancelledError with the reason of a withdrawal [R25-90] [TM-08]', async () => {
    const cancelled = expired({ resolution: 'cancelled', reason: 'solved elsewhere' });
    const { result, calls } = await outcome(cancelled);

    assert.ok(result instanceof InputCancelledError);
    assert.equal(result.name, 'InputCancelledError');
    assert.equal(result.code, 'input_cancelled');
    assert.equal(result.reason, 'solved elsewhere');
    assert.deepEqual(calls, []);
  });

  it('throws InputCancelledError at the deadline of a portfolio, past a fallback', async () => {
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;
    const { result, calls } = await outcome(expired({ ...fallback, reason: 'portfolio_deadline' }));

    assert.ok(result instanceof InputCancelledError);
    assert.equal(result.reason, 'portfolio_deadline_exceeded');
    assert.deepEqual(calls, [`expired ${SUSPENSION_ID}`]);
  });

  it('leaves the suspension id out of every message [R25-100]', async () => {
    const timeout = await outcome(expired());
    const cancelled = await outcome(expired({ resolution: 'cancelled' }));

    for (const { result } of [timeout, cancelled]) {
      assert.ok(result instanceof Error);
      assert.ok(!result.message.includes(SUSPENSION_ID));
    }
  });

  it('refuses a settled view without an outcome', async () => {
    const { resolution: _resolution, ...record } = settled().record;
    const { result } = await outcome({ ...settled(), record });

    assert.equal((result as { code?: string }).code, 'unexpected_reply');
  });
});
