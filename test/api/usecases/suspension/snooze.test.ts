import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  endSnooze,
  listSnoozes,
  snoozeSuspension,
} from '../../../../api/usecases/suspension/inbox.js';
import {
  NOW,
  SUSPENSION_ID,
  callerOf,
  refusalFrom,
  viewOf,
  type FakeQueries,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const ALICE = callerOf('alice', 'operator');
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
const SNOOZE = {
  suspension_id: SUSPENSION_ID,
  until: at(60),
  until_reminder: false,
  snoozed_at: at(0),
};

/** An API over a store, with the live question. */
function over(store: FakeQueries = {}) {
  const { record, ...view } = viewOf();
  const live = { ...view, record: { ...record, expires_at: at(600) } };
  const { parts, asked } = fakeParts({
    answers: { suspension: () => live, view: () => live },
    store,
  });
  const reads = { ...parts.reads, getSuspension: async () => ({ value: live, stale: false }) };
  return { call: { caller: ALICE, parts: { ...parts, reads } }, asked };
}

describe('a snooze behind the API', () => {
  it('is stored for the caller, with what the question was like', async () => {
    const { call, asked } = over();
    assert.deepEqual(await snoozeSuspension.run(call, SUSPENSION_ID, { until: at(60) }), SNOOZE);
    assert.deepEqual(
      asked.filter(({ name }) => name === 'putSnooze').map(({ args }) => args),
      [
        [
          { space: ALICE.space, by: 'alice', now: at(0) },
          { ...SNOOZE, attempt: null, question_version: 1 },
        ],
      ],
    );
  });

  it('is refused by the rule before anything is stored', async () => {
    const { call, asked } = over();
    const { code } = await refusalFrom(
      snoozeSuspension.run(call, SUSPENSION_ID, { until: at(600) }),
    );
    assert.equal(code, 'snooze_not_possible');
    assert.ok(!asked.some(({ name }) => name === 'putSnooze'));
  });

  it('is refused to a person who has put off as many as the limit', async () => {
    const { call } = over({ putSnooze: async () => false });
    const refusal = await refusalFrom(snoozeSuspension.run(call, SUSPENSION_ID, { until: at(60) }));
    assert.equal(refusal.code, 'too_many_snoozes');
  });

  it('is listed for the caller alone, and ended by it', async () => {
    const { call, asked } = over({ listSnoozes: async () => [SNOOZE] });
    assert.deepEqual(await listSnoozes.run(call), [SNOOZE]);
    await endSnooze.run(call, SUSPENSION_ID);
    assert.deepEqual(
      asked.map(({ name, args }) => [name, args]),
      [
        ['listSnoozes', [{ by: 'alice', now: at(0) }]],
        ['deleteSnooze', [{ space: ALICE.space, by: 'alice' }, SUSPENSION_ID]],
      ],
    );
  });
});
