import assert from 'node:assert/strict';
import { startServer, type RunningServer } from '../../api/server.js';
import { Operator, type Fetch, type InboxNews } from '../../client/index.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { KEYS, createRig, type Rig } from '../api/support/harness.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { aRecord, openedRow, progressRow, settledRow } from '../store/rows.js';
import { feedOf } from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';
import { InstantPauses } from './support/harness.js';

describe('the inbox of an Operator', () => {
  let store: TestStore;
  let server: RunningServer;
  let rig: Rig;
  before(async () => {
    store = await withStore();
    rig = createRig({}, {}, feedOf(store));
    server = await startServer({ app: rig.app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    await store.close();
  });
  beforeEach(() => rig.asked.splice(0));

  function operator(fetch?: Fetch): Operator {
    const timers = { pause: new InstantPauses().pause };
    return new Operator({ baseUrl: server.url, apiKey: KEYS.operator, timers, fetch });
  }

  it('says whom its key stands for', async () => {
    const me = await operator().me();
    assert.equal(me.principal, 'alice');
    assert.ok(me.may.includes('respond'));
  });

  it('lists and counts by every filter that is given, and no other', async () => {
    const page = await operator().list({ view: 'claimed', group: 'finance', limit: 7 });
    const counts = await operator().counts({ view: 'claimed' });
    assert.deepEqual([page.next_cursor, counts.pending], [null, 1]);
    const view = { kind: 'claimed', holder: 'alice', now: '2026-01-01T00:00:00.000Z' };
    const first = { limit: 7, state: 'pending', sort: 'urgency', after: undefined };
    assert.deepEqual(
      rig.asked.map(({ name, args }) => [name, args[0]]),
      [
        ['listSuspensions', { view, group: 'finance', ...first }],
        ['countSuspensions', { view }],
      ],
    );
  });

  it('lists what waits for an answer', async () => {
    const blocks = await operator().blocks(SUSPENSION_ID);
    assert.deepEqual(
      blocks.map(({ kind, depth }) => [kind, depth]),
      [['intent', 0]],
    );
  });

  async function take(news: AsyncIterable<InboxNews>, count: number): Promise<InboxNews[]> {
    const taken: InboxNews[] = [];
    for await (const one of news) {
      taken.push(one);
      if (taken.length === count) break;
    }
    return taken;
  }

  /** The row of a new question, and its id. */
  function asked() {
    const record = aRecord();
    const row = { ...openedRow('', record), intent_id: null } as JournalRow;
    return { id: record.id, row };
  }

  it('follows changes over lost connections, without a loss or a repetition', async () => {
    const { id, row } = asked();
    const steps = [row, progressRow(id, 1, 2), progressRow(id, 2, 3), settledRow(id, 3)];
    let opened = 0;
    /** Every connection is lost after its first change. */
    const breaking: Fetch = async (url, init) => {
      const reply = await fetch(url, init);
      const step = steps[opened];
      opened += 1;
      if (step) await writeRows(store.db, [step]);
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk);
          if (new TextDecoder().decode(chunk).includes('event: suspension')) controller.terminate();
        },
      });
      return new Response(reply.body?.pipeThrough(cut), { headers: reply.headers });
    };
    const news = await take(operator(breaking).follow(), 4);
    assert.deepEqual(
      news.map((one) => one.kind === 'suspension' && [one.id, one.state, one.change]),
      [
        [id, 'pending', 'opened'],
        [id, 'pending', 'attempt'],
        [id, 'pending', 'attempt'],
        [id, 'settled', 'settled'],
      ],
    );
    const positions = news.map(({ last_event_id }) => Number(last_event_id));
    assert.deepEqual(
      positions,
      [...positions].sort((a, b) => a - b),
    );
  });

  it('is told to read anew where what it has missed cannot be told', async () => {
    const [reset] = await take(operator().follow({ last_event_id: '900000' }), 1);
    assert.equal(reset?.kind, 'reset');
    assert.match(reset.last_event_id, /^\d+$/);
  });
});
