import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../../../api/errors.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import { createBulkAnswers } from '../../../../api/gateway/suspension/bulk.js';
import type { RespondOutcome } from '../../../../api/gateway/suspension/answers.js';
import type { RespondRequest } from '../../../../contracts/suspension-requests.js';
import type { SuspensionRecord } from '../../../../contracts/suspension.js';
import { notFound } from '../../../../api/gateway/refusals.js';
import {
  ManualClock,
  OTHER_SUSPENSION_ID,
  SETTLED,
  SUSPENSION_ID,
  callerOf,
  fakeStore,
  refusalFrom,
  silent,
  viewOf,
} from '../support.js';
import { RESULT } from './answers-bench.js';

const ALICE = callerOf('alice', 'operator');
const { record: OPEN } = viewOf();
const BOTH = [{ suspension_id: SUSPENSION_ID }, { suspension_id: OTHER_SUSPENSION_ID }];
const settled = { accepted: true, result: RESULT } as const;

type Respond = (request: RespondRequest) => Promise<RespondOutcome>;

function bench(
  respond: Respond = async () => settled,
  stored: readonly (readonly [string, SuspensionRecord])[] = [],
) {
  const sent: { request: RespondRequest; key: string | undefined }[] = [];
  const read: string[] = [];
  const clock = new ManualClock();
  const store = fakeStore({ recordsOf: async () => new Map(stored) });
  const bulk = createBulkAnswers({
    answers: {
      respond: async (_caller, _intent, request, key) => {
        sent.push({ request, key });
        return respond(request);
      },
    },
    reads: {
      getSuspension: async (id) => {
        read.push(id);
        if (id === OTHER_SUSPENSION_ID) throw notFound('suspension');
        return { value: viewOf(), stale: false };
      },
    },
    fromStore: createFromStore(store, clock, silent),
    log: silent,
  });
  return { bulk, sent, read };
}

describe('one answer to many questions', () => {
  it('is given to each, in order, under the same key', async () => {
    const { bulk, sent } = bench();
    const answers = [{ ...BOTH[0], question_version: 2 }, BOTH[1]] as typeof BOTH;
    const request = { answers, value: 'yes', despite_claim: true };
    const results = await bulk.respondToMany(ALICE, request, 'key');
    assert.deepEqual(
      results.map(({ suspension_id, outcome }) => [suspension_id, outcome]),
      [
        [SUSPENSION_ID, 'settled'],
        [OTHER_SUSPENSION_ID, 'settled'],
      ],
    );
    const given = { value: 'yes', despite_claim: true };
    assert.deepEqual(sent, [
      { request: { ...given, ...answers[0] }, key: 'key' },
      { request: { ...given, ...answers[1] }, key: 'key' },
    ]);
  });

  it('goes on where one is refused, and says why', async () => {
    const refusal = { code: 'suspension_settled', detail: 'too late' } as const;
    const { bulk } = bench(async ({ suspension_id }) => {
      if (suspension_id === SUSPENSION_ID) throw new RefusalError(refusal);
      return settled;
    });
    assert.deepEqual(await bulk.respondToMany(ALICE, { answers: BOTH, value: 'yes' }), [
      { suspension_id: SUSPENSION_ID, outcome: 'refused', refusal },
      { suspension_id: OTHER_SUSPENSION_ID, outcome: 'settled', result: RESULT },
    ]);
  });

  it('says what counts only, what was handed over, and what failed for no known reason', async () => {
    const { resolution: _open, ...counted } = RESULT;
    const replies: Respond[] = [
      async () => ({ accepted: true, result: counted }),
      async () => ({ accepted: false, suspension_id: OTHER_SUSPENSION_ID }),
      async () => Promise.reject(new Error('a secret')),
    ];
    const { bulk } = bench(async (request) => (replies.shift() ?? assert.fail())(request));
    const answers = [...BOTH, { suspension_id: SUSPENSION_ID }];
    const results = await bulk.respondToMany(ALICE, { answers, value: 'yes' });
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['counted', 'handed_over', 'refused'],
    );
    assert.ok(!JSON.stringify(results).includes('a secret'));
  });

  it('answers nothing where the questions take different answers', async () => {
    const text = { ...OPEN, response_type: 'text' } as const;
    const { bulk, sent } = bench(undefined, [[OTHER_SUSPENSION_ID, text]]);
    const refusal = await refusalFrom(bulk.respondToMany(ALICE, { answers: BOTH, value: 'yes' }));
    assert.deepEqual([refusal.code, refusal.field], ['mixed_shapes', 'answers[1].suspension_id']);
    assert.deepEqual(sent, []);
  });

  it('asks the workflow only for what the store does not know', async () => {
    const stored = [
      [SUSPENSION_ID, OPEN],
      [OTHER_SUSPENSION_ID, SETTLED],
    ] as const;
    const known = bench(undefined, stored);
    await known.bulk.respondToMany(ALICE, { answers: BOTH, value: 'yes' });
    assert.deepEqual(known.read, []);
    const unknown = bench();
    const answers = [...BOTH, { suspension_id: 'nonsense' }];
    await unknown.bulk.respondToMany(ALICE, { answers, value: 'yes' });
    assert.deepEqual(unknown.read, [SUSPENSION_ID, OTHER_SUSPENSION_ID]);
  });
});
