import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WRITE_MS } from '../../../../api/parts/calls/deadline.js';
import { respondToMany } from '../../../../api/usecases/suspension/respond-to-many.js';
import { entityIdOf } from '../../../../contracts/constants/names.js';
import type { BulkAnswerRequest } from '../../../../contracts/suspension/requests.js';
import type { SuspensionRecord } from '../../../../contracts/suspension/suspension.js';
import {
  ManualClock,
  OTHER_SUSPENSION_ID,
  SETTLED,
  SUSPENSION_ID,
  callerOf,
  closed,
  hanging,
  intentOf,
  refusalFrom,
  updateRefused,
  viewOf,
  type FakeCall,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';
import { answersSent, updateIdFor } from '../../support/questions.js';
import { RESULT, accept } from './respond-bench.js';

const THIRD = '55555555-5555-4555-8555-555555555555';
const ALICE = callerOf('alice', 'operator');
const { record: OPEN } = viewOf();
const BOTH = [{ suspension_id: SUSPENSION_ID }, { suspension_id: OTHER_SUSPENSION_ID }];

type Respond = (call: FakeCall) => unknown;

function bench(
  respond: Respond = accept,
  stored: readonly (readonly [string, SuspensionRecord])[] = [],
) {
  const clock = new ManualClock();
  const record = ({ workflowId }: FakeCall) =>
    workflowId.endsWith(OTHER_SUSPENSION_ID) ? closed() : viewOf();
  const { parts, calls } = fakeParts({
    clock,
    temporal: { describe: closed, result: closed },
    answers: {
      respond,
      record,
      intent: () => ({ intent: intentOf(), last_sequence: 4 }),
      operatorResponse: () => undefined,
      leftRows: () => [],
    },
    store: { recordsOf: async () => new Map(stored) },
  });
  const answerAll = (answers: BulkAnswerRequest['answers'], fields: object = {}, key?: string) =>
    respondToMany.run({ caller: ALICE, parts }, { answers, value: 'yes', ...fields }, key);
  const read = () =>
    calls.flatMap(({ name, workflowId }) => (name === 'record' ? [idIn(workflowId)] : []));
  return { answerAll, sent: () => answersSent({ sent: calls }), read, clock };
}

const idIn = (workflowId: string) => entityIdOf(workflowId, 'suspension');

describe('one answer to many questions', () => {
  it('is given to each, in order, under the same key', async () => {
    const { answerAll, sent } = bench();
    const answers = [{ ...BOTH[0], question_version: 2 }, BOTH[1]] as typeof BOTH;
    const results = await answerAll(answers, { despite_claim: true }, 'key');
    assert.deepEqual(
      results.map(({ suspension_id, outcome }) => [suspension_id, outcome]),
      [
        [SUSPENSION_ID, 'settled'],
        [OTHER_SUSPENSION_ID, 'settled'],
      ],
    );
    const given = { value: 'yes', despite_claim: true };
    const expected = answers.map((one) => ({
      request: { ...given, ...one },
      updateId: updateIdFor('alice', 'key', one.suspension_id),
    }));
    assert.deepEqual(
      sent().map(({ request, updateId }) => ({ request, updateId })),
      expected,
    );
  });

  it('goes on where one is refused, and says why', async () => {
    const refusal = { code: 'not_eligible', detail: 'Not you.' } as const;
    const { answerAll } = bench((call) => {
      if (idIn(call.workflowId) === SUSPENSION_ID) throw updateRefused(refusal);
      return accept(call);
    });
    assert.deepEqual(await answerAll(BOTH), [
      { suspension_id: SUSPENSION_ID, outcome: 'refused', refusal },
      { suspension_id: OTHER_SUSPENSION_ID, outcome: 'settled', result: RESULT },
    ]);
  });

  it('says what counts only, what was handed over, and what failed for no known reason', async () => {
    const { resolution: _open, ...counted } = RESULT;
    const replies: Respond[] = [
      (call) => ({ ...accept(call), verdict: 'counted', result: counted }),
      hanging,
      () => Promise.reject(new Error('a secret')),
    ];
    const { answerAll, clock } = bench((call) => (replies.shift() ?? assert.fail())(call));
    const answering = answerAll([...BOTH, { suspension_id: THIRD }]);
    await clock.advance(WRITE_MS);
    const results = await answering;
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['counted', 'handed_over', 'refused'],
    );
    assert.ok(!JSON.stringify(results).includes('a secret'));
  });

  it('answers nothing where the questions take different answers', async () => {
    const text = { ...OPEN, response_type: 'text' } as const;
    const { answerAll, sent } = bench(undefined, [[OTHER_SUSPENSION_ID, text]]);
    const refusal = await refusalFrom(answerAll(BOTH));
    assert.deepEqual([refusal.code, refusal.field], ['mixed_shapes', 'answers[1].suspension_id']);
    assert.deepEqual(sent(), []);
  });

  it('asks the workflow only for what the store does not know', async () => {
    const stored = [
      [SUSPENSION_ID, OPEN],
      [OTHER_SUSPENSION_ID, SETTLED],
    ] as const;
    const known = bench(undefined, stored);
    await known.answerAll(BOTH);
    assert.deepEqual(known.read(), []);
    const unknown = bench();
    await unknown.answerAll([...BOTH, { suspension_id: 'nonsense' }]);
    assert.deepEqual(unknown.read(), [SUSPENSION_ID, OTHER_SUSPENSION_ID]);
  });
});
