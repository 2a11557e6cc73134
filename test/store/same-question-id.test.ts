import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JournalRow } from '../../contracts/log/journal.js';
import { inSpace } from '../../store/in-space.js';
import { writeRows } from '../../store/journal-writer.js';
import { deliveryOf, recordDelivery, recordTry } from '../../store/queries/work/deliveries.js';
import { refusedRows } from '../../store/queries/work/quarantine.js';
import { findSuspension, isQuestionId, timelineEvents } from '../../store/queries/suspension.js';
import { storeState } from '../../store/migrate.js';
import { useStore } from '../support/store.js';
import { aRecord, anIntent, instant, openedRow, settledRow, timelineRow } from './rows.js';
import { timelineOf } from './timeline.js';

const SPACES = ['default', 'team-b'] as const;
type SpaceName = (typeof SPACES)[number];
const RANGE = { upTo: 100, limit: 100 };

/** What a space writes of its question, and what of that a reader finds. */
function asked(id: string, space: string) {
  const intent = anIntent();
  const opening: readonly JournalRow[] = [
    { kind: 'intent', intent, last_sequence: 1 },
    openedRow(intent.id, aRecord({ id, question: `Asked in ${space}` })),
  ];
  return { intent, opening, entries: [timelineRow(id, 1), timelineRow(id, 2)] };
}

describe('two spaces that choose the same id for a question', () => {
  const store = useStore();

  const numbersIn = async (space: string, id: string) =>
    (await timelineOf(inSpace(store.db, space), id)).map(({ sequence }) => sequence);

  /** That the first has its question whole, and the second nothing but an entry for the operator. */
  async function demandOwner(id: string, first: SpaceName, refusedOf: string, kinds: string[]) {
    const second = first === 'default' ? 'team-b' : 'default';
    const [ours, theirs] = [inSpace(store.db, first), inSpace(store.db, second)];
    assert.equal((await findSuspension(ours, id))?.record.question, `Asked in ${first}`);
    assert.deepEqual(await numbersIn(first, id), [1, 2]);
    assert.equal(await findSuspension(theirs, id), undefined);
    assert.deepEqual(await numbersIn(second, id), []);
    assert.deepEqual(await timelineEvents(theirs, id, RANGE), []);
    assert.equal(await isQuestionId(theirs, id), true);
    const rows = await store.db
      .selectFrom('journal_quarantine')
      .select(['kind', 'space', 'reason'])
      .where('suspension_id', '=', id)
      .execute();
    assert.deepEqual(rows.map(({ kind }) => kind).sort(), [...kinds].sort());
    assert.ok(rows.every(({ space, reason }) => space === second && reason === 'conflict'));
    assert.deepEqual(await refusedRows(ours, refusedOf), []);
    assert.ok((await storeState(store.db)).refused_rows >= kinds.length);
  }

  for (const [first, second] of [SPACES, [...SPACES].reverse()] as [SpaceName, SpaceName][]) {
    it(`leaves it to the one that the store hears first: ${first}`, async () => {
      const id = randomUUID();
      const [ours, theirs] = [asked(id, first), asked(id, second)];
      await writeRows(store.db, ours.opening, first);
      await writeRows(store.db, theirs.opening, second);
      await writeRows(store.db, [...theirs.entries, timelineRow(id, 3)], second);
      await writeRows(store.db, ours.entries, first);
      await writeRows(store.db, [settledRow(id, 5)], second);
      const kinds = ['suspension_opened', 'timeline', 'timeline', 'timeline', 'suspension_settled'];
      await demandOwner(id, first, ours.intent.id, kinds);
      assert.equal((await findSuspension(inSpace(store.db, first), id))?.state, 'pending');
    });

    it(`leaves it to the one whose timeline comes before any opening: ${first}`, async () => {
      const id = randomUUID();
      const [ours, theirs] = [asked(id, first), asked(id, second)];
      await writeRows(store.db, ours.entries, first);
      await writeRows(store.db, theirs.opening, second);
      await writeRows(store.db, theirs.entries, second);
      await writeRows(store.db, ours.opening, first);
      const kinds = ['suspension_opened', 'timeline', 'timeline'];
      await demandOwner(id, first, ours.intent.id, kinds);
    });
  }

  it('never mixes what both write at the same moment', async () => {
    const id = randomUUID();
    const both = { default: asked(id, 'default'), 'team-b': asked(id, 'team-b') };
    await Promise.all(
      SPACES.map((space) =>
        writeRows(store.db, [...both[space].opening, ...both[space].entries], space),
      ),
    );
    const found = await Promise.all(
      SPACES.map(async (space) => await findSuspension(inSpace(store.db, space), id)),
    );
    const [first, ...others] = SPACES.filter((_, i) => found[i] !== undefined);
    assert.ok(first);
    assert.deepEqual(others, []);
    const kinds = ['suspension_opened', 'timeline', 'timeline'];
    await demandOwner(id, first, both[first].intent.id, kinds);
  });

  it('has the deliveries and tries of both', async () => {
    const delivery_id = `${randomUUID()}:1:0`;
    for (const space of SPACES) {
      const db = inSpace(store.db, space);
      assert.equal(await deliveryOf(db, delivery_id), undefined);
      const delivery = {
        delivery_id,
        channel: 'webhook',
        reference: space,
        delivered_at: instant(1),
      };
      await recordDelivery(store.db, delivery, space);
      await recordDelivery(store.db, { ...delivery, reference: 'again' }, space);
      assert.deepEqual(await deliveryOf(db, delivery_id), delivery);
      const tried = { delivery_id, at: instant(1), try_number: 1, channel: 'webhook' } as const;
      const result = { outcome: 'delivered', status_code: 200, duration_ms: 5 } as const;
      await recordTry(store.db, { ...tried, ...result }, space);
      const tries = await db.selectFrom('delivery_tries').select('outcome').execute();
      assert.equal(tries.length, 1);
    }
  });
});
