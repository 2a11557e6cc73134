import assert from 'node:assert/strict';
import { DEFAULT_RULE } from '../../../../domain/suspension/answering/decision.js';
import {
  INTENT_ID,
  OTHER_INTENT_ID,
  OTHER_SUSPENSION_ID,
  SETTLED,
  SUSPENSION_ID,
  callerOf,
  hanging,
  idle,
  intentOf,
  refusalFrom,
  rpcError,
  settledView,
  viewOf,
  type FakeCall,
} from '../../support/fakes.js';

import {
  ALICE,
  RESULT,
  accept,
  answerIn,
  bench,
  closed,
  refuse,
  type World,
} from './respond-bench.js';

const AT = '2026-01-01T00:00:05.000Z';

describe('an answer on its way to the suspension', () => {
  it('returns the receipt and marks the intent as written', async () => {
    const { respond, touched, calls } = bench();
    assert.deepEqual(await respond(), { accepted: true, result: RESULT });
    assert.deepEqual(touched, [INTENT_ID, `${SUSPENSION_ID} settled`]);
    assert.equal(calls[0]?.workflowId, `suspension-${SUSPENSION_ID}`);
  });

  it('returns once the workflow that takes the outcome from the result has it', async () => {
    const awaited_by = `intent-${INTENT_ID}`;
    let children = [{ workflowId: `suspension-${SUSPENSION_ID}` }];
    const { respond, calls, clock, touched } = bench({
      update: (call) => ({ ...accept(call), awaited_by }),
      describe: () => ({ raw: { pendingChildren: children } }),
    });
    let returned = false;
    const responded = respond().then(() => (returned = true));
    await idle();
    assert.equal(returned, false);
    children = [];
    await clock.advance(5);
    await responded;
    assert.equal(calls.at(-1)?.workflowId, awaited_by);
    assert.deepEqual(touched.slice(-2), [
      `${SUSPENSION_ID} settled`,
      `later: rows that ${INTENT_ID} left`,
    ]);
  });

  it('writes the last rows of a question that holds up no intent', async () => {
    const result = { ...RESULT, intent_id: null };
    const { answered, touched } = bench({ update: (call) => ({ ...accept(call), result }) });
    const request = { suspension_id: SUSPENSION_ID, value: 'yes' };
    await answered(ALICE, undefined, request);
    assert.deepEqual(touched, [`${SUSPENSION_ID} settled`, `rows of ${SUSPENSION_ID}`]);
  });

  it('says what counts, and leaves the question open for others [AM-58]', async () => {
    const { resolution: _open, ...rest } = RESULT;
    const result = { ...rest, approvals: 1, required: 2 };
    const counted = (call: FakeCall) => ({ ...accept(call), verdict: 'counted', result });
    const { respond, touched } = bench({ update: counted });
    assert.deepEqual(await respond(), { accepted: true, result });
    assert.deepEqual(touched, [INTENT_ID]);
  });

  it('says whether duties are separate, and for which version it is', async () => {
    const plain = bench();
    await plain.respond();
    assert.equal(answerIn(plain.calls[0]).separation_of_duties, undefined);
    const { answered, calls } = bench({ suspensionConfig: { separation_of_duties: true } });
    const request = { suspension_id: SUSPENSION_ID, value: 'yes', question_version: 3 };
    await answered(ALICE, INTENT_ID, request);
    const { separation_of_duties, question_version } = answerIn(calls[0]);
    assert.deepEqual([separation_of_duties, question_version], [true, 3]);
  });

  it('names the principal as responder [R25-72]', async () => {
    const { respond, calls } = bench();
    await respond();
    const { responded_by, by } = answerIn(calls[0]);
    assert.deepEqual([responded_by, by.principal], ['alice', 'alice']);
  });

  it('keeps both names if an admin answers for another [AM-17]', async () => {
    const { answered, calls } = bench();
    const request = { suspension_id: SUSPENSION_ID, value: 'yes', responded_by: 'alice' };
    await answered(callerOf('root', 'admin'), INTENT_ID, request);
    const { responded_by, by } = answerIn(calls[0]);
    assert.deepEqual([responded_by, by.principal], ['alice', 'root']);
  });

  it('refuses the name of somebody else without the role admin', async () => {
    const { answered, calls } = bench();
    const request = { suspension_id: SUSPENSION_ID, value: 'yes', responded_by: 'carol' };
    for (const caller of [ALICE, callerOf('bob', 'agent', 'operator')]) {
      const { code, field } = await refusalFrom(answered(caller, INTENT_ID, request));
      assert.deepEqual([code, field], ['responded_by_mismatch', 'responded_by']);
    }
    assert.deepEqual(calls, []);
  });

  it('refuses an agent as the one who answers, also to an admin', async () => {
    const { answered, calls } = bench();
    const root = callerOf('root', 'admin');
    const request = { suspension_id: SUSPENSION_ID, value: 'yes', responded_by: 'agent-1' };
    const { code } = await refusalFrom(answered(root, INTENT_ID, request));
    assert.equal(code, 'responded_by_mismatch');
    assert.deepEqual(calls, []);
    const person = { ...request, responded_by: 'carol' };
    assert.ok((await answered(root, INTENT_ID, person)).accepted);
  });
});

describe('an Idempotency-Key on an answer', () => {
  it('gives the Update an id of its own, always the same', async () => {
    const { respond, calls } = bench();
    await respond('yes', 'key-1');
    await respond('yes', 'key-1');
    await respond('yes', 'key-2');
    const ids = calls.map(({ updateId = '' }) => updateId);
    assert.match(ids[0] ?? '', /^r:[0-9a-f]{64}$/);
    assert.equal(ids[0], ids[1]);
    assert.notEqual(ids[0], ids[2]);
    assert.equal(answerIn(calls[0]).answer.key, ids[0]);
  });

  it('makes no two answers the same when it is absent', async () => {
    const { respond, calls } = bench();
    await respond();
    await respond();
    assert.match(calls[0]?.updateId ?? '', /^a:/);
    assert.notEqual(calls[0]?.updateId, calls[1]?.updateId);
  });

  it('is refused with another body while the question is open [AM-47]', async () => {
    const { respond } = bench({ update: () => ({ result: RESULT, body_hash: 'of another body' }) });
    const refusal = await refusalFrom(respond('no', 'key-1'));
    assert.equal(refusal.code, 'idempotency_key_reused');
  });

  it('repeats the stored result once the question is closed [AM-47]', async () => {
    let bodyHash = '';
    const { respond } = bench({
      update: (call) => {
        bodyHash = answerIn(call).answer.body_hash;
        return closed();
      },
      suspension: settledView(),
      stored: (key) => ({ intent_id: INTENT_ID, key, body_hash: bodyHash, record: SETTLED }),
    });
    assert.deepEqual(await respond('yes', 'key-1'), { accepted: true, result: RESULT });
  });

  it('repeats the result of a closed question whose last rows are on their way', async () => {
    let bodyHash = '';
    const { respond, touched } = bench({
      update: (call) => {
        bodyHash = answerIn(call).answer.body_hash;
        return closed();
      },
      suspension: viewOf(),
      writtenLater: settledView(),
      stored: (key) => ({ intent_id: INTENT_ID, key, body_hash: bodyHash, record: SETTLED }),
    });
    assert.deepEqual(await respond('yes', 'key-1'), { accepted: true, result: RESULT });
    assert.deepEqual(touched, [`rows that ${INTENT_ID} left`, `${SUSPENSION_ID} settled`]);
  });

  it('is told to come back while the store does not know how a closed question ended', async () => {
    const world = { update: closed, suspension: viewOf(), intent: intentOf() };
    const refusal = await refusalFrom(bench(world).respond('yes', 'key-1'));
    assert.equal(refusal.code, 'store_unavailable');
    const other = bench(world).answered(
      ALICE,
      OTHER_INTENT_ID,
      { suspension_id: SUSPENSION_ID, value: 'yes' },
      'key-1',
    );
    assert.equal((await refusalFrom(other)).code, 'intent_not_found');
  });

  it('is refused with another body once the question is closed [AM-47]', async () => {
    const { respond } = bench({
      update: closed,
      suspension: settledView(),
      stored: (key) => ({ intent_id: INTENT_ID, key, body_hash: 'other', record: SETTLED }),
    });
    assert.equal((await refusalFrom(respond('no', 'key-1'))).code, 'idempotency_key_reused');
  });

  it('does not repeat a result through another intent [R25-80]', async () => {
    const { answered } = bench({ intent: intentOf() });
    const request = { suspension_id: SUSPENSION_ID, value: 'yes' };
    const answering = answered(ALICE, OTHER_INTENT_ID, request, 'key-1');
    assert.equal((await refusalFrom(answering)).code, 'intent_not_found');
  });
});

describe('an answer to a question that several people have decided', () => {
  const vote = { actor: 'alice', value: 'yes', question_version: 1, counted_at: AT };
  const votes = ['alice', 'bob'].map((principal) => ({ ...vote, principal, actor: principal }));
  const decision_rule = { ...DEFAULT_RULE, quorum: 2 };
  const record = { ...SETTLED, decision_rule, votes };

  it('gets its first reply again, as it was then [AM-58]', async () => {
    let body_hash = '';
    const { respond } = bench({
      update: (call) => {
        ({ body_hash } = answerIn(call).answer);
        return closed();
      },
      suspension: settledView({ record }),
      stored: (key) => ({ intent_id: INTENT_ID, key, body_hash, record, vote: 0 }),
    });
    const outcome = await respond('yes', 'key-1');
    assert.ok(outcome.accepted);
    const { resolution, approvals, required, responded_by } = outcome.result;
    assert.deepEqual([resolution, approvals, required, responded_by], [undefined, 1, 2, 'alice']);
  });
});

describe('an answer that no worker takes', () => {
  it('is handed over as a Signal under the same key after ten seconds', async () => {
    const { respond, calls, clock, touched } = bench({ update: hanging });
    const answered = respond('yes', 'key-1');
    await clock.advance(10_000);
    assert.deepEqual(await answered, { accepted: false, suspension_id: SUSPENSION_ID });
    const [update, signal] = calls;
    assert.deepEqual([update?.name, signal?.name], ['respond', 'operatorResponse']);
    assert.deepEqual(answerIn(signal), answerIn(update));
    assert.equal(answerIn(signal).received_at, '2026-01-01T00:00:00.000Z');
    assert.deepEqual(touched, []);
  });

  it('is diagnosed if the Signal finds the question closed [R25-81]', async () => {
    const { respond, clock } = bench({
      update: hanging,
      signal: closed,
      intent: intentOf({ status: 'active' }),
    });
    const answered = refusalFrom(respond());
    await clock.advance(10_000);
    assert.equal((await answered).code, 'intent_not_suspended');
  });

  it('is unavailable if Temporal is away too', async () => {
    const { respond, clock } = bench({
      update: hanging,
      signal: () => {
        throw rpcError('UNAVAILABLE');
      },
    });
    const answered = refusalFrom(respond());
    await clock.advance(15_000);
    assert.equal((await answered).code, 'workflow_unavailable');
  });
});

describe('an answer that cannot count', () => {
  const active = intentOf({ status: 'active', state: {} });
  const elsewhere = intentOf({ state: { _suspension: { id: OTHER_SUSPENSION_ID } } });
  const settled = refuse({ code: 'suspension_settled', detail: 'settled' });
  const mismatch = refuse({ code: 'suspension_mismatch', detail: 'other intent' });
  const ending = {
    resolution: 'responded',
    settled_at: SETTLED.settled_at,
    responded_by: 'alice',
    responded_at: SETTLED.responded_at,
    value: 'yes',
  };
  const suspended = { intent_status: 'suspended_awaiting_input' };

  const table: [title: string, world: World, code: string, state: object | undefined][] = [
    ['of an unknown intent [R25-80]', { update: closed }, 'intent_not_found', undefined],
    [
      'of an unknown intent, with a real suspension [AM-15]',
      { update: mismatch, suspension: viewOf({ intent_id: OTHER_INTENT_ID }) },
      'intent_not_found',
      undefined,
    ],
    [
      'to an intent without a question [R25-81]',
      { update: closed, intent: active },
      'intent_not_suspended',
      { intent_status: 'active' },
    ],
    [
      'after the first, when the question is closed [R26-90]',
      { update: closed, intent: active, suspension: settledView() },
      'intent_not_suspended',
      { intent_status: 'active', ...ending },
    ],
    [
      'after the first, when the question is closing [R26-90]',
      { update: settled, intent: active, suspension: settledView() },
      'intent_not_suspended',
      { intent_status: 'active', ...ending },
    ],
    [
      'to an older suspension while another is open [R25-82]',
      { update: closed, intent: elsewhere, suspension: settledView() },
      'suspension_mismatch',
      { ...suspended, ...ending },
    ],
    [
      'while its question cannot be reached',
      { update: closed, intent: intentOf(), suspension: viewOf() },
      'moving',
      undefined,
    ],
    [
      'to the suspension of another intent [R25-82]',
      {
        update: mismatch,
        intent: elsewhere,
        suspension: settledView({ intent_id: OTHER_INTENT_ID }),
      },
      'suspension_mismatch',
      suspended,
    ],
    [
      'before the intent knows that it is settled [AM-47]',
      { update: settled, intent: intentOf(), suspension: settledView() },
      'suspension_settled',
      { ...suspended, ...ending },
    ],
  ];
  for (const [title, world, code, state] of table) {
    it(`is refused: ${title}`, async () => {
      const { respond, touched } = bench(world);
      const refusal = await refusalFrom(respond());
      assert.equal(refusal.code, code);
      assert.deepEqual(refusal.state, state);
      assert.ok(!JSON.stringify(refusal).includes(OTHER_SUSPENSION_ID));
      assert.deepEqual(touched, []);
    });
  }

  it('says in words how the question ended', async () => {
    const { respond } = bench({ update: settled, intent: intentOf(), suspension: settledView() });
    assert.equal((await refusalFrom(respond())).detail, 'The question was answered.');
  });

  it('says nothing of how the question ended to a user for whom it was not asked', async () => {
    const mara = callerOf('mara', 'user');
    const request = { suspension_id: SUSPENSION_ID, value: 'yes' };
    for (const update of [settled, closed]) {
      for (const through of [INTENT_ID, undefined]) {
        const { answered } = bench({ update, intent: active, suspension: settledView() });
        const { code, state } = await refusalFrom(answered(mara, through, request));
        assert.deepEqual([code, state], ['forbidden', undefined]);
        const signal = { ...request, resume_signal: 'go' };
        const resumed = await refusalFrom(answered(mara, through, signal));
        assert.deepEqual([resumed.code, resumed.state], ['forbidden', undefined]);
      }
    }
  });

  for (const id of ['label', '../x', `${SUSPENSION_ID}x`, SUSPENSION_ID.toUpperCase() + 'A']) {
    it(`asks no suspension by the name ${id} [R25-82]`, async () => {
      const { respond, calls } = bench({ intent: intentOf() });
      assert.equal((await refusalFrom(respond('yes', 'key-1', id))).code, 'suspension_mismatch');
      assert.deepEqual(
        calls.map(({ workflowId }) => workflowId),
        [`intent-${INTENT_ID}`],
      );
    });
  }

  it('asks no intent by a name that is no id [R25-80]', async () => {
    const { answered, calls } = bench();
    const request = { suspension_id: SUSPENSION_ID, value: 'yes' };
    const answering = answered(ALICE, 'nonsense', request);
    assert.equal((await refusalFrom(answering)).code, 'intent_not_found');
    assert.equal(calls.length, 0);
  });
});
