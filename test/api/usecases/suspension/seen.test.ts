import assert from 'node:assert/strict';
import { getSuspension } from '../../../../api/usecases/suspension/read.js';
import type { SuspensionView } from '../../../../contracts/suspension/view.js';
import { DEFAULT_RULE } from '../../../../domain/suspension/answering/decision.js';
import { NOW, SUSPENSION_ID, callerOf, viewOf, type FakeQueries } from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const ALICE = callerOf('alice', 'operator');

/** An API over a question, whose background work is awaited. */
function over(changes: Partial<SuspensionView> = {}, store: FakeQueries = {}) {
  const view = { ...viewOf(), rule: DEFAULT_RULE, ...changes } as SuspensionView;
  const work: Promise<unknown>[] = [];
  const background = {
    add: (one: () => Promise<unknown>) => {
      const done = one();
      work.push(done.catch(() => undefined));
      return done;
    },
  };
  const { parts, asked } = fakeParts({ store, deps: { background } });
  const reads = { ...parts.reads, getSuspension: async () => ({ value: view, stale: false }) };
  return {
    read: async (caller = ALICE) => {
      await getSuspension.run({ caller, parts: { ...parts, reads } }, SUSPENSION_ID);
      await Promise.all(work);
    },
    noted: () => asked.filter(({ name }) => name === 'noteView').map(({ args }) => args),
  };
}

describe('that a question was seen', () => {
  it('is noted once, when somebody reads it who may answer', async () => {
    const { read, noted } = over();
    await read();
    await read();
    assert.deepEqual(noted(), [['default', SUSPENSION_ID, new Date(NOW).toISOString()]]);
  });

  it('is noted by the next reader if the store was away', async () => {
    let isAway = true;
    const { read, noted } = over(
      {},
      {
        noteView: async () => {
          if (isAway) throw new Error('connect ECONNREFUSED');
        },
      },
    );
    await read();
    isAway = false;
    await read();
    await read();
    assert.equal(noted().length, 2);
  });

  it('is not noted for its asker, for auditors, for whom the rule does not name, or once it is over', async () => {
    const mine = over({ asked_by: 'alice' });
    await mine.read();
    const auditor = over();
    await auditor.read(callerOf('vera', 'auditor'));
    const others = over({ rule: { ...DEFAULT_RULE, eligible: { principals: ['bob'] } } });
    await others.read();
    const settled = over({ state: 'settled' });
    await settled.read();
    for (const each of [mine, auditor, others, settled]) assert.deepEqual(each.noted(), []);
  });
});
