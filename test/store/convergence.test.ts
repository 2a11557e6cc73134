import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { partWith } from '../domain/approval/wires.js';
import { useStore } from '../support/store.js';
import {
  aRecord,
  anEvent,
  anIntent,
  instant,
  openedRow,
  progressRow,
  settledRow,
  timelineRow,
} from './rows.js';

interface Ids {
  readonly intent: string;
  readonly suspension: string;
  readonly events: readonly string[];
}

const EVENTS = 6;

function newIds(): Ids {
  const events = Array.from({ length: EVENTS }, () => randomUUID());
  return { intent: randomUUID(), suspension: randomUUID(), events };
}

/** The whole life of one intent and its suspension, in the order it happened. */
function lifeOf(ids: Ids): JournalRow[] {
  const intent = (version: number, last_sequence: number): JournalRow => {
    const state = { step: last_sequence };
    const changes = { id: ids.intent, version, state, updated_at: instant(last_sequence) };
    return { kind: 'intent', intent: anIntent(changes), last_sequence };
  };
  const events = ids.events.map((id, i): JournalRow => {
    const event = anEvent({ id, intent_id: ids.intent, sequence: i + 1, created_at: instant(i) });
    return { kind: 'event', event };
  });
  const settled = settledRow(ids.suspension, 4);
  return [
    ...events,
    intent(1, 1),
    intent(2, 2),
    intent(2, 3),
    intent(3, 5),
    intent(3, 6),
    openedRow(ids.intent, aRecord({ id: ids.suspension, approval: partWith() })),
    progressRow(ids.suspension, 1, 1),
    ...[2, 3].map((version) => ({
      ...progressRow(ids.suspension, version, version),
      approval: partWith({ version }),
    })),
    { ...settled, settlement: { ...settled.settlement, approval: partWith({ version: 3 }) } },
    ...[1, 2, 3, 4].map((sequence) => timelineRow(ids.suspension, sequence)),
  ];
}

const LENGTH = lifeOf(newIds()).length;

/** Every row at least once, some again, in any order, cut into batches anywhere. */
const delivery = fc
  .tuple(
    fc.array(fc.nat(LENGTH - 1), { maxLength: LENGTH }),
    fc.infiniteStream(fc.integer({ min: 1, max: 8 })),
  )
  .chain(([again, sizes]) => {
    const order = [...Array.from({ length: LENGTH }, (_, i) => i), ...again];
    return fc
      .shuffledSubarray(
        order.map((_, i) => i),
        { minLength: order.length },
      )
      .map((places) =>
        cut(
          places.map((place) => order[place] ?? 0),
          sizes,
        ),
      );
  });

function cut(order: readonly number[], sizes: Iterator<number>): number[][] {
  const batches: number[][] = [];
  let start = 0;
  while (start < order.length) {
    const size = sizes.next().value as number;
    batches.push(order.slice(start, start + size));
    start += size;
  }
  return batches;
}

describe('journal rows in any order', () => {
  const store = useStore();

  async function stateOf(ids: Ids): Promise<string> {
    const { db } = store;
    const state = {
      intents: await db.selectFrom('intents').selectAll().where('id', '=', ids.intent).execute(),
      events: await db
        .selectFrom('events')
        .selectAll()
        .where('intent_id', '=', ids.intent)
        .orderBy('sequence')
        .execute(),
      suspensions: await db
        .selectFrom('suspensions')
        .selectAll()
        .where('id', '=', ids.suspension)
        .execute(),
      timeline: await db
        .selectFrom('suspension_timeline')
        .selectAll()
        .where('suspension_id', '=', ids.suspension)
        .orderBy('sequence')
        .execute(),
    };
    const names = [ids.intent, ids.suspension, ...ids.events];
    // A place in the feed tells in which order they came.
    const { events, suspensions } = state;
    const placeless = {
      ...state,
      events: events.map((row) => ({ ...row, feed_position: null })),
      suspensions: suspensions.map((row) => ({ ...row, feed_position: null, change: null })),
    };
    return names.reduce(
      (text, id, i) => text.replaceAll(id, `id ${i}`),
      JSON.stringify(placeless, null, 1),
    );
  }

  it('end in the state of the order they were made in', async () => {
    const inOrder = newIds();
    await writeRows(store.db, lifeOf(inOrder));
    const expected = await stateOf(inOrder);
    assert.match(expected, /"state": "settled"/);
    await fc.assert(
      fc.asyncProperty(delivery, async (batches) => {
        const ids = newIds();
        const rows = lifeOf(ids);
        for (const batch of batches) {
          await writeRows(
            store.db,
            batch.flatMap((i) => rows[i] ?? []),
          );
        }
        assert.equal(await stateOf(ids), expected);
      }),
      { numRuns: 60 },
    );
  });
});
