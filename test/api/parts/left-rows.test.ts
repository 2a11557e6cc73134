import assert from 'node:assert/strict';
import PQueue from 'p-queue';
import type { Background } from '../../../api/parts/calls/background.js';
import { createRowWrites } from '../../../api/parts/calls/row-writes.js';
import { createTemporal } from '../../../api/parts/calls/temporal.js';
import { createIntentRows } from '../../../api/parts/calls/row-hand-over.js';
import type { FromStore } from '../../../api/parts/reads/from-store.js';
import { RefusalError } from '../../../api/errors.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { lookUntil } from '../../support/looks.js';
import { INTENT_ID, ManualClock, fakeClient, silent } from '../support/fakes.js';

const never = new Promise<never>(() => undefined);
const ROW = { kind: 'memory of a row' } as unknown as JournalRow;

describe('the rows that an intent leaves to the API', () => {
  const clock = new ManualClock();

  /** An intent that left rows, and a store that takes them unless another is given. */
  function bench<B extends Background = PQueue>({
    query = async () => [ROW],
    store = async () => [],
    background = new PQueue() as Background as B,
  }: { query?: () => unknown; store?: () => Promise<unknown>; background?: B } = {}) {
    const written: unknown[] = [];
    const { client, calls } = fakeClient({ query, signal: () => undefined });
    const fromStore = (async (_query: unknown, rows: unknown, space: unknown) => {
      const refused = await store();
      written.push([rows, space]);
      return refused;
    }) as unknown as FromStore;
    const temporal = createTemporal(client, clock);
    const rowWrites = createRowWrites({ temporal, fromStore, clock, log: silent, space: 'team-b' });
    const rows = createIntentRows({ temporal, rowWrites, background, log: silent });
    const asked = () => calls.map(({ name }) => name);
    return { ...rows, background, written, asked, calls };
  }
  const away = () =>
    Promise.reject(new RefusalError({ code: 'store_unavailable', detail: 'away' }));

  it('are asked for and written, while nobody waits', async () => {
    const { collectLater, background, written, asked } = bench();
    collectLater(INTENT_ID);
    assert.deepEqual(written, []);
    await background.onIdle();
    assert.deepEqual([written, asked()], [[[[ROW], 'team-b']], ['leftRows']]);
  });

  it('are asked for after the event up to which they were written here', async () => {
    const row = { kind: 'intent', head_hash: 'sha256:last' } as unknown as JournalRow;
    const { collect, stored, calls } = bench({ query: async () => [row] });
    assert.deepEqual(stored(INTENT_ID), {});
    await collect(INTENT_ID);
    assert.deepEqual(stored(INTENT_ID), { stored_head: 'sha256:last' });
    await collect(INTENT_ID);
    assert.deepEqual(
      calls.map(({ args }) => args),
      [[undefined], ['sha256:last']],
    );
    const failing = bench({ query: async () => [row], store: away });
    await failing.collect(INTENT_ID);
    assert.deepEqual(failing.stored(INTENT_ID), {});
  });

  it('are asked for once where an intent waits to be asked, for what it has left by then', async () => {
    const background = new PQueue({ autoStart: false });
    const { collectLater, collectDue, written, asked } = bench({
      background,
      query: async () => [],
    });
    for (const collect of [collectLater, collectDue, collectLater]) collect(INTENT_ID);
    assert.equal(background.size, 1);
    await background.start().onIdle();
    assert.deepEqual([written, asked()], [[], ['leftRows', 'write']]);
  });

  it('are asked for again where those of before are being written', async () => {
    const writing: (() => void)[] = [];
    const store = () => new Promise((resolve) => writing.push(() => resolve([])));
    const { collectLater, background, written, asked } = bench({ store });
    for (const writes of [1, 2]) {
      collectLater(INTENT_ID);
      await lookUntil(async () => writing.length === writes, 'nothing is written');
    }
    for (const end of writing) end();
    await background.onIdle();
    assert.deepEqual([written.length, asked()], [2, ['leftRows', 'leftRows']]);
  });

  it('are left to the reconciler where too much waits, and asked for the next time', async () => {
    const queue = new PQueue();
    let isFull = true;
    const add = (work: () => Promise<unknown>) => (isFull ? undefined : queue.add(work));
    const { collectLater, written } = bench({ background: { add } });
    collectLater(INTENT_ID);
    isFull = false;
    collectLater(INTENT_ID);
    await queue.onIdle();
    assert.equal(written.length, 1);
  });

  it('are not written where there are none', async () => {
    const { collectLater, background, written, asked } = bench({ query: async () => [] });
    collectLater(INTENT_ID);
    await background.onIdle();
    assert.deepEqual([written, asked()], [[], ['leftRows']]);
  });

  it('are written by the intent where a question has just ended, and it hands out none', async () => {
    const { collect, collectDue, background, written, asked } = bench({
      query: async () => [],
    });
    await collect(INTENT_ID);
    collectDue(INTENT_ID);
    await background.onIdle();
    assert.deepEqual([written, asked()], [[], ['leftRows', 'write', 'leftRows', 'write']]);
  });

  it('are written by the intent where the store is away', async () => {
    const { collect, writeLeft, asked } = bench({ store: away });
    await collect(INTENT_ID);
    await writeLeft(INTENT_ID, [ROW]);
    assert.deepEqual(asked(), ['leftRows', 'write', 'write']);
  });

  it('are written by the intent where the store takes over half a second', async () => {
    const { writeLeft, asked } = bench({ store: () => never });
    const began = clock.now();
    const writing = writeLeft(INTENT_ID, [ROW]);
    await clock.advance(500);
    await writing;
    assert.deepEqual([clock.now() - began, asked()], [500, ['write']]);
  });

  it('are written by the intent where no worker says what it left', async () => {
    const { collect, written, asked } = bench({ query: () => never });
    const collecting = collect(INTENT_ID);
    await clock.advance(2_000);
    await collecting;
    assert.deepEqual([written, asked().at(-1)], [[], 'write']);
  });

  it('are written by the intent where its worker does not know the question', async () => {
    const unknown = () =>
      Promise.reject(new Error('Workflow did not register a handler for leftRows'));
    const { collect, asked } = bench({ query: unknown });
    await collect(INTENT_ID);
    assert.deepEqual(asked(), ['leftRows', 'write']);
  });

  it('that came with a receipt are written before the reply', async () => {
    const { writeLeft, written, asked } = bench();
    await writeLeft(INTENT_ID, [ROW]);
    assert.deepEqual([written, asked()], [[[[ROW], 'team-b']], []]);
  });

  it('are written by the intent where a receipt has none', async () => {
    const { writeLeft, written, asked } = bench();
    await writeLeft(INTENT_ID, []);
    assert.deepEqual([written, asked()], [[], ['write']]);
  });
});
