import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { JournalRow } from '../../contracts/log/journal.js';
import {
  ENGAGEMENT_GROUPINGS,
  type EngagementFilter,
  type EngagementGrouping,
} from '../../contracts/suspension/engagement.js';
import { inSpace } from '../../store/in-space.js';
import { writeRows } from '../../store/journal-writer.js';
import { engagementReport } from '../../store/queries/engagement-report.js';
import { settleSuspension } from '../../store/queries/work/lost-entity.js';
import { noteView } from '../../store/queries/question-facts.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { emptyStore, useStore } from '../support/store.js';
import { counted, keysOf, type Seen } from './counted-questions.js';
import { DAYS, USUAL, life, rowsOf } from './question-lives.js';
import { PAUSE, aRecord, instant, openedRow } from './rows.js';

describe('what managers count', () => {
  const store = useStore('emptied');

  const report = (by: EngagementGrouping, filter: EngagementFilter = {}, limit = 100) =>
    engagementReport(inSpace(store.db, 'default'), {
      by,
      days: DAYS,
      default_channel: USUAL,
      limit,
      ...filter,
    });

  it('equals a count over the questions and their timelines, whatever happened, in whatever order it was stored', async () => {
    const scene = fc.tuple(
      fc.array(life, { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(fc.nat()),
    );
    await fc.assert(
      fc.asyncProperty(scene, async ([lives, order]) => {
        await emptyStore(store);
        const made = lives.map(rowsOf);
        const next = () => Number(order.next().value);
        const rows = made.flatMap((one) => one.rows).map((row) => [next(), row] as const);
        const mixed = rows.sort(([a], [b]) => a - b).map(([, row]) => row);
        const batches = Math.max(1, next() % 6);
        const size = Math.ceil(mixed.length / batches);
        for (let from = 0; from < mixed.length; from += size) {
          await writeRows(store.db, mixed.slice(Math.max(0, from - (next() % 3)), from + size));
        }
        const all: Seen[] = [];
        for (const [index, { id }] of made.entries()) {
          const { seen, asked: at } = lives[index] ?? assert.fail();
          if (seen !== null) await noteView(store.db, 'default', id, instant(at + seen));
          const view = (await findSuspension(store.db, id)) ?? assert.fail();
          all.push([view, seen === null ? undefined : instant(at + seen)]);
        }
        const inRange = all.filter(
          ([
            {
              record: { suspended_at },
            },
          ]) => suspended_at >= String(DAYS[0]) && suspended_at < String(DAYS.at(-1)),
        );
        for (const by of ENGAGEMENT_GROUPINGS) {
          const { total, groups, left_out } = await report(by);
          assert.deepEqual(total, counted(inRange));
          assert.equal(left_out, 0);
          const keys = new Set(inRange.flatMap(([view]) => keysOf(view, by)));
          assert.deepEqual(new Set(groups.map(({ key }) => key)), keys);
          for (const { key, ...figures } of groups) {
            const own = counted(inRange.filter(([view]) => keysOf(view, by).includes(key)));
            assert.deepEqual(figures, own);
            if (by === 'day' || key === null) continue;
            const alone = await report('day', { [by]: String(key) });
            assert.deepEqual(alone.total, own, `${by} ${key} alone`);
          }
        }
        const filter = { agent: 'agent-a', channel: USUAL, tool: 'refund' };
        const few = inRange.filter(([view]) =>
          (['agent', 'channel', 'tool'] as const).every((by) =>
            keysOf(view, by).includes(filter[by]),
          ),
        );
        assert.deepEqual((await report('day', filter)).total, counted(few));
      }),
      { numRuns: 10 },
    );
  });

  it('leaves out pauses, other spaces, and what is not opened yet', async () => {
    const pause = aRecord({ pause: PAUSE });
    await writeRows(store.db, [openedRow(randomUUID(), pause)]);
    await writeRows(store.db, [openedRow(randomUUID(), aRecord())], 'team-b');
    await noteView(store.db, 'default', randomUUID(), instant(1));
    assert.equal((await report('day')).total.asked, 0);
  });

  it('keeps the first view, also one from before the opening is stored', async () => {
    const record = aRecord();
    await noteView(store.db, 'default', record.id, instant(3));
    await writeRows(store.db, [openedRow(randomUUID(), record)]);
    await noteView(store.db, 'default', record.id, instant(9));
    await noteView(store.db, 'team-b', record.id, instant(1));
    assert.deepEqual((await report('day')).total.until_viewed, {
      count: 1,
      p50_seconds: 3,
      p90_seconds: 3,
    });
  });

  it('has the groups with the most questions, and says how many it leaves out', async () => {
    const rows = ['a', 'b', 'b', 'c', 'c', 'c'].map(
      (asked_by) => ({ ...openedRow(randomUUID(), aRecord()), asked_by }) as JournalRow,
    );
    await writeRows(store.db, rows);
    const { total, groups, left_out } = await report('agent', {}, 2);
    assert.deepEqual(
      [total.asked, groups.map(({ key, asked: n }) => [key, n]), left_out],
      [
        6,
        [
          ['c', 3],
          ['b', 2],
        ],
        1,
      ],
    );
  });

  it('counts a question that was withdrawn by the reconciler', async () => {
    const record = aRecord();
    await writeRows(store.db, [openedRow(randomUUID(), record)]);
    const settlement = {
      resolution: 'cancelled',
      settled_by: 'system',
      settled_at: instant(9),
    } as const;
    await settleSuspension(store.db, record.id, settlement);
    assert.deepEqual((await report('day')).total.cancelled, 1);
  });
});
