import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { INTENT_ID, SUSPENSION_ID, idle } from '../../support/fakes.js';
import { accept, bench } from './respond-bench.js';

describe('the rows of a question that somebody waits for, after its answer', () => {
  const LEFT = `later: rows that ${INTENT_ID} left`;
  const EARLY = `early: rows of ${SUSPENSION_ID}`;
  for (const [who, awaited_by, atOnce, afterwards] of [
    ['an intent has not taken the outcome within two seconds', `intent-${INTENT_ID}`, [], [EARLY]],
    ['the workflow of an agent waits, which writes no rows', 'agent-7', [EARLY], []],
  ] as const) {
    it(`are written by the API itself where ${who}`, async () => {
      const { respond, clock, touched } = bench({
        update: (call) => ({ ...accept(call), awaited_by }),
        describe: () => ({
          raw: { pendingChildren: [{ workflowId: `suspension-${SUSPENSION_ID}` }] },
        }),
      });
      const responded = respond();
      await idle();
      const before = touched.length;
      assert.deepEqual(
        touched.filter((one) => one === EARLY),
        atOnce,
      );
      await clock.advance(1_999);
      assert.equal(touched.length, before);
      await clock.advance(1);
      await responded;
      assert.deepEqual(touched.slice(before), [...afterwards, LEFT]);
    });
  }
});
