import assert from 'node:assert/strict';
import { createFromStore, type RunQuery } from '../../../api/parts/reads/from-store.js';
import { demandOwnId, recordsIn } from '../../../api/parts/chosen-id.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import {
  ManualClock,
  afterReads,
  callerOf,
  fakeStore,
  refusalFrom,
  silent,
  viewOf,
} from '../support/fakes.js';

const KNOWN = viewOf();
const ASKER = callerOf(KNOWN.asked_by, 'agent');
const SAME = {
  id: KNOWN.id,
  question: KNOWN.record.question,
  context: (KNOWN.record.context ?? {}) as JsonValue,
};
const ELSEWHERE = 'b6f0c9d1-7c58-4a57-9d0c-1f5f7a2b3c4d';

/** A store with the question that is known, or one that is away. */
const stored = (isAway = false): RunQuery => {
  const ifKnown = async <T>(id: string, value: T) => {
    if (isAway) throw new Error('away');
    return id === KNOWN.id ? value : undefined;
  };
  return fakeStore({
    findSuspension: (id) => ifKnown(id, KNOWN),
    isQuestionId: async (id) => (await ifKnown(id, true)) ?? false,
  });
};

function demand(record: JsonValue, caller = ASKER, intentId?: string, store = stored()) {
  const fromStore = createFromStore(store, new ManualClock(), silent);
  return demandOwnId(fromStore, caller, record, intentId);
}

describe('a suspension id that a client chooses', () => {
  it('is refused if another question has it', async () => {
    const others = [
      [{ ...SAME, question: 'Another?' }, ASKER],
      [{ ...SAME, context: { other: 1 } }, ASKER],
      [{ id: KNOWN.id }, ASKER],
      [SAME, callerOf('mallory', 'agent')],
    ] as const;
    for (const [record, caller] of others) {
      for (const intentId of [undefined, ELSEWHERE]) {
        const refusal = await refusalFrom(demand(record, caller, intentId));
        assert.deepEqual([refusal.code, refusal.field], ['suspension_id_taken', '_suspension.id']);
      }
    }
  });

  it('is accepted if caller, question and context are equal, or nobody has it', async () => {
    await demand(SAME);
    await demand({ ...SAME, question: 'Another?', id: ELSEWHERE });
    for (const record of [null, 'text', {}, { id: 7 }, { id: 'no-uuid' }]) await demand(record);
  });

  it('is judged by the workflow within its own intent, and while the store is away', async () => {
    const mallory = callerOf('mallory', 'agent');
    await demand(SAME, mallory, String(KNOWN.intent_id));
    await demand(SAME, mallory, undefined, stored(true));
  });

  it('is its own also if its row is written between any two reads', async () => {
    for (const reads of [0, 1, 2, 3]) {
      for (const intentId of [undefined, String(KNOWN.intent_id)])
        await demand(SAME, ASKER, intentId, afterReads(reads, fakeStore(), stored()));
    }
  });

  it('is judged by the workflow also if the store goes away between two reads', async () => {
    for (const reads of [0, 1, 2]) {
      const store = afterReads(reads, stored(), stored(true));
      await demand(SAME, ASKER, String(KNOWN.intent_id), store);
      await demand(SAME, callerOf('mallory', 'agent'), String(KNOWN.intent_id), store);
    }
  });

  it('is found wherever a patch can write it', () => {
    const set = (path: string, value: JsonValue) => ({ op: 'set', path, value }) as const;
    assert.deepEqual(
      recordsIn([
        set('_suspension', SAME),
        set('/_suspension/id', 'x'),
        set('/_suspension/question', 'x'),
        set('/other/_suspension', SAME),
        { op: 'remove', path: '_suspension' },
      ]),
      [SAME, { id: 'x' }],
    );
  });
});
