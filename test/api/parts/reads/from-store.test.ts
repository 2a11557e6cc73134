import assert from 'node:assert/strict';
import pg from 'pg';
import { refusalOf } from '../../../../api/errors.js';
import type { Clock } from '../../../../api/parts/calls/deadline.js';
import { createFromStore } from '../../../../api/parts/reads/from-store.js';
import { Consistency } from '../../../../api/parts/reads/reads.js';
import { findIntent } from '../../../../store/queries/intent.js';
import { INTENT_ID, ManualClock, noWrites } from '../../support/fakes.js';

const failing = (code: string) =>
  Object.assign(new pg.DatabaseError('refused "a secret"', 1, 'error'), { code });

function bench(error: Error) {
  const lines: object[] = [];
  const log = { warn: (fields: object) => lines.push(fields) };
  const clock = new ManualClock();
  const fromStore = createFromStore(() => Promise.reject(error), clock, log);
  return { lines, fromStore, clock, log };
}

describe('a read of the store', () => {
  it('may be tried again after a failure that passes', async () => {
    const { lines, fromStore } = bench(failing('57P01'));
    await assert.rejects(
      fromStore(findIntent, INTENT_ID),
      (error) => refusalOf(error)?.code === 'store_unavailable',
    );
    assert.deepEqual(lines, [{ sqlstate: '57P01' }]);
  });

  it('is no refusal after a failure that would come again', async () => {
    const error = failing('22P02');
    const { lines, fromStore } = bench(error);
    await assert.rejects(fromStore(findIntent, INTENT_ID), error);
    assert.equal(refusalOf(error), undefined);
    assert.deepEqual(lines, [{ sqlstate: '22P02' }]);
  });

  it('waits for two seconds, and longer where its clock has more patience', async () => {
    const times: readonly (readonly [object, number])[] = [
      [{}, 2_000],
      [{ patience: { servers: 3, worker: 1 } }, 6_000],
    ];
    for (const [patience, most] of times) {
      const manual = new ManualClock();
      const sleep = manual.sleep.bind(manual);
      const clock: Clock = { now: () => manual.now(), sleep, ...patience };
      const hanging = () => new Promise<never>(() => undefined);
      const log = { warn: () => undefined };
      let isOver = false;
      const read = createFromStore(
        hanging,
        clock,
        log,
      )(findIntent, INTENT_ID).catch(() => (isOver = true));
      await manual.advance(most - 1);
      assert.equal(isOver, false);
      await manual.advance(1);
      assert.equal(await read, true);
    }
  });

  it('that fails for good takes nothing back of what was written', async () => {
    const { fromStore, clock, log, lines } = bench(failing('42P01'));
    const query = () => Promise.resolve({ kind: 'gone' } as const);
    const consistency = new Consistency({
      temporal: { query },
      fromStore,
      clock,
      log,
      memory: noWrites(),
      intentRows: { collectDue: () => undefined },
    });
    await consistency.hold(INTENT_ID, 7);
    assert.deepEqual(lines.at(-1), { sqlstate: '42P01' });
  });
});
