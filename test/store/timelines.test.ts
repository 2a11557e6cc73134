import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { TimelineEntry } from '../../contracts/suspension/suspension.js';
import { verifyChain } from '../support/verified-chain.js';
import { sealTimelineEntry } from '../../domain/log/seal.js';
import { toJsonText } from '../../store/column-values.js';
import { writeRows } from '../../store/journal-writer.js';
import { settleSuspension } from '../../store/queries/work/lost-entity.js';
import { timelineEnd, timelineEvents } from '../../store/queries/suspension.js';
import { useStore } from '../support/store.js';
import { aRecord, instant, openedRow } from './rows.js';

const WHOLE = { upTo: 1_000, limit: 1_000 };

describe('a stored timeline', () => {
  const store = useStore();

  /** Rows of a chained timeline. */
  function chained(id: string, details: readonly TimelineEntry['detail'][]): JournalRow[] {
    let head: string | null = null;
    return details.map((detail, index) => {
      const entry = { sequence: index + 1, at: instant(index), kind: 'attempt', detail } as const;
      const seal = sealTimelineEntry(id, entry, head, `salt ${index}`);
      head = seal.event_hash;
      return { kind: 'timeline', suspension_id: id, entry, seal };
    });
  }

  async function breaksOf(id: string): Promise<string[]> {
    const { breaks } = verifyChain(await timelineEvents(store.db, id, WHOLE));
    return breaks.map(({ kind, sequence }) => `${kind} ${sequence}`);
  }

  it('hashes as it was written, in whatever order the rows come', async () => {
    const id = randomUUID();
    const rows = chained(id, [{ text: '\u0000 \ud800 é' }, { number: 1e21 }, { list: [[], {}] }]);
    await writeRows(store.db, rows.toReversed());
    await writeRows(store.db, rows);
    assert.deepEqual(await breaksOf(id), []);
    const { last_sequence, head_hash } = await timelineEnd(store.db, id);
    const last = rows[2];
    assert.ok(last?.kind === 'timeline');
    assert.deepEqual([last_sequence, head_hash], [3, last.seal.event_hash]);
  });

  it('shows a detail that was changed in the store', async () => {
    const id = randomUUID();
    await writeRows(store.db, chained(id, [{ value: 'deny' }, {}]));
    const detail = toJsonText({ value: 'approve' });
    await store.db
      .updateTable('suspension_timeline')
      .set({ detail })
      .where('suspension_id', '=', id)
      .where('sequence', '=', 1)
      .execute();
    assert.deepEqual(await breaksOf(id), ['changed 1']);
  });

  it('goes on where a workflow was lost', async () => {
    const id = randomUUID();
    await writeRows(store.db, [openedRow(randomUUID(), aRecord({ id })), ...chained(id, [{}, {}])]);
    const settled = { resolution: 'cancelled', settled_by: 'system' } as const;
    const lost = { ...settled, settled_at: instant(9), reason: 'suspension_lost' };
    await settleSuspension(store.db, id, lost);
    const events = await timelineEvents(store.db, id, WHOLE);
    assert.deepEqual(verifyChain(events).breaks, []);
    assert.equal(events[2]?.['kind'], 'cancelled');
  });
});
