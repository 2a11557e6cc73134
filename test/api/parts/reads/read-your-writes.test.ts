import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createLists } from '../../../../api/parts/reads/reads.js';
import {
  fakeClient,
  fakeStore,
  hanging,
  INTENT_ID,
  intentOf,
  ManualClock,
  NOW,
  OTHER_INTENT_ID,
  refusalFrom,
  sequences,
  type FakeCall,
  consistencyOver,
} from '../../support/fakes.js';

interface Setting {
  /** Sequence of the newest event, as the workflow tells. */
  readonly position?: (call: FakeCall) => unknown;
  /** Sequence the store has come to, by milliseconds from the start. */
  readonly stored?: (ms: number, intentId: string) => number;
  readonly known?: boolean;
}

function bench({ position = () => ({ version: 1, last_sequence: 7 }), ...setting }: Setting) {
  const { stored = () => 7, known = true } = setting;
  const clock = new ManualClock();
  const { client, calls } = fakeClient({ query: position });
  const asked: number[] = [];
  const store = fakeStore({
    lastSequences: sequences((intentId) => {
      asked.push(clock.now() - NOW);
      return stored(clock.now() - NOW, intentId);
    }),
    findIntent: async () => (known ? intentOf({ status: 'completed' }) : undefined),
  });
  const { fromStore, consistency, collected } = consistencyOver(store, client, clock);
  const lists = createLists(consistency, fromStore);
  const events = () => lists.listEvents(INTENT_ID, { limit: 100, offset: 0 });
  const intents = () => lists.listIntents({ limit: 100, offset: 0 });
  return { clock, calls, asked, collected, consistency, events, intents };
}

const missing = () => {
  throw new WorkflowNotFoundError('missing', '', undefined);
};

describe('an event log read from the store', () => {
  it('is fresh at once if the store has caught up', async () => {
    const { events, asked } = bench({});
    assert.deepEqual(await events(), { value: [], more: false, stale: false });
    assert.deepEqual(asked, [0]);
  });

  it('waits with growing pauses until the store holds the last event', async () => {
    const { events, asked, clock } = bench({ stored: (ms) => (ms < 100 ? 6 : 7) });
    const read = events();
    await clock.advance(2_000);
    assert.equal((await read).stale, false);
    assert.deepEqual(asked, [0, 5, 15, 35, 75, 155]);
  });

  it('says stale after two seconds, and has written what the intent may have left', async () => {
    const { events, clock, asked, collected } = bench({ stored: () => 6 });
    const read = events();
    await clock.advance(2_000);
    assert.deepEqual([(await read).stale, collected], [true, [INTENT_ID]]);
    assert.ok(asked.length < 20, `asked ${asked.length} times`);
  });

  it('says stale if no worker answers', async () => {
    const { events, clock, collected } = bench({ position: hanging });
    const read = events();
    await clock.advance(2_000);
    assert.deepEqual([(await read).stale, collected], [true, []]);
  });

  it('is final if Temporal has forgotten the intent', async () => {
    const { events } = bench({ position: missing });
    assert.deepEqual(await events(), { value: [], more: false, stale: false });
  });

  it('is not found if nobody knows the intent', async () => {
    const { events } = bench({ position: missing, known: false });
    assert.equal((await refusalFrom(events())).code, 'intent_not_found');
  });

  it('is refused if the store fails', async () => {
    const stored = (): number => {
      throw new Error('connection lost');
    };
    const { events } = bench({ stored });
    assert.equal((await refusalFrom(events())).code, 'store_unavailable');
  });
});

describe('a list of intents', () => {
  it('waits for nothing where this replica wrote nothing', async () => {
    const { intents, calls, asked } = bench({});
    assert.equal((await intents()).stale, false);
    assert.deepEqual([calls.length, asked.length], [0, 0]);
  });

  it('waits until every write of this replica is stored', async () => {
    const { intents, consistency, clock, calls } = bench({
      stored: (ms, id) => (id === INTENT_ID || ms >= 300 ? 9 : 0),
    });
    consistency.touch(INTENT_ID, 9);
    consistency.touch(OTHER_INTENT_ID, 2);
    const read = intents();
    let done = false;
    void read.finally(() => {
      done = true;
    });
    await clock.advance(299);
    assert.equal(done, false);
    await clock.advance(1_000);
    assert.equal((await read).stale, false);
    assert.equal(calls.length, 0);
  });

  it('asks the workflow for the sequence that a write did not return', async () => {
    const { intents, consistency, calls } = bench({});
    consistency.touch(INTENT_ID, 3);
    consistency.touch(INTENT_ID);
    consistency.touch(INTENT_ID, 4);
    assert.equal((await intents()).stale, false);
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['position'],
    );
  });

  it('forgets what has caught up', async () => {
    const { intents, consistency, asked } = bench({});
    consistency.touch(INTENT_ID, 7);
    await intents();
    await intents();
    assert.equal(asked.length, 1);
  });

  it('says stale after two seconds and waits again next time', async () => {
    const { intents, consistency, clock } = bench({ stored: (ms) => (ms <= 2_000 ? 0 : 7) });
    consistency.touch(INTENT_ID, 7);
    const first = intents();
    await clock.advance(2_000);
    assert.equal((await first).stale, true);
    const second = intents();
    await clock.advance(1_000);
    assert.equal((await second).stale, false);
  });

  it('leaves a write that comes meanwhile to the next list', async () => {
    let writeAgain = (): void => undefined;
    const { intents, consistency, asked } = bench({
      stored: () => {
        writeAgain();
        return 7;
      },
    });
    consistency.touch(INTENT_ID, 6);
    writeAgain = () => {
      writeAgain = () => undefined;
      consistency.touch(INTENT_ID, 7);
    };
    assert.equal((await intents()).stale, false);
    assert.equal((await intents()).stale, false);
    assert.equal(asked.length, 2);
    await intents();
    assert.equal(asked.length, 2);
  });

  it('gives up on an intent that the store never gets to hold', async () => {
    const { intents, consistency, clock } = bench({ stored: () => 0 });
    consistency.touch(INTENT_ID, 7);
    const staleness: boolean[] = [];
    for (let read = 0; read < 20; read += 1) {
      const listed = intents();
      await clock.advance(2_000);
      staleness.push((await listed).stale);
    }
    assert.deepEqual(staleness, [
      ...Array<boolean>(16).fill(true),
      ...Array<boolean>(4).fill(false),
    ]);
  });

  it('gives up on nothing while the store is away', async () => {
    let away = true;
    const { intents, consistency, clock } = bench({
      stored: () => {
        if (away) throw new Error('connection lost');
        return 0;
      },
    });
    consistency.touch(INTENT_ID, 7);
    for (let read = 0; read < 20; read += 1) {
      const refused = refusalFrom(intents());
      await clock.advance(2_000);
      assert.equal((await refused).code, 'store_unavailable');
    }
    away = false;
    const listed = intents();
    await clock.advance(2_000);
    assert.equal((await listed).stale, true);
  });

  it('waits anew for what it waited for in vain before the store was away', async () => {
    let away = false;
    const { intents, consistency, clock } = bench({
      stored: () => {
        if (away) throw new Error('connection lost');
        return 0;
      },
    });
    consistency.touch(INTENT_ID, 7);
    const before = intents();
    await clock.advance(2_000);
    assert.equal((await before).stale, true);
    away = true;
    const refused = refusalFrom(intents());
    await clock.advance(40_000);
    assert.equal((await refused).code, 'store_unavailable');
    away = false;
    const after = intents();
    await clock.advance(2_000);
    assert.equal((await after).stale, true);
  });

  it('removes what is stored while a workflow does not answer', async () => {
    const { intents, consistency, clock, asked } = bench({
      position: hanging,
      stored: (_ms, id) => (id === OTHER_INTENT_ID ? 9 : 0),
    });
    consistency.touch(INTENT_ID);
    consistency.touch(OTHER_INTENT_ID, 9);
    const listed = intents();
    await clock.advance(2_000);
    assert.equal((await listed).stale, true);
    assert.equal(asked.length, 2);
    const again = intents();
    await clock.advance(2_000);
    assert.equal((await again).stale, true);
    assert.equal(asked.length, 3);
  });

  it('catches up by itself once many writes wait', async () => {
    const { consistency, clock, asked, intents } = bench({});
    for (let n = 0; n < 1_000; n += 1) consistency.touch(`intent-${n}`, 1);
    await clock.advance(0);
    assert.equal(asked.length, 1_000);
    await intents();
    assert.equal(asked.length, 1_000);
  });
});
