import assert from 'node:assert/strict';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { writeRows } from '../../store/journal-writer.js';
import { recordDelivery, type Followed } from '../../store/queries/work/deliveries.js';
import {
  dueFollowUps,
  noteFollowed,
  notePutOff,
  sweepFollowUps,
} from '../../store/queries/work/follow-ups.js';
import { withStore, type TestStore } from '../support/store.js';
import {
  aRecord,
  anIntent,
  instant,
  openedRow,
  progressRow,
  settledRow,
  timelineRow,
} from './rows.js';

function amendedRow(id: string, revision: number, question_version: number): JournalRow {
  const amended = { question: 'Half?', question_version, amended_at: instant(3) };
  return { ...progressRow(id, revision, 1), amended };
}

describe('messages that are followed', () => {
  let store: TestStore;
  beforeEach(async () => {
    store = await withStore();
  });
  afterEach(() => store.close());
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);
  const due = async (at = instant(1_000), limit = 10, except: readonly string[] = []) =>
    dueFollowUps(store.db, { at, limit, except });
  const dueIds = async (at?: string) =>
    (await due(at)).map(({ delivery_id }) => delivery_id.replace(/^[^:]*/, ''));

  async function opened(): Promise<SuspensionRecord> {
    const record = aRecord();
    await write(openedRow(anIntent().id, record));
    return record;
  }
  async function delivered(
    { id }: SuspensionRecord,
    to: string,
    followed: Followed = { person: to.split('/')[1] ?? null, shows: 1 },
    at = 1,
  ): Promise<void> {
    const delivery = {
      delivery_id: `${id}:${to}`,
      channel: 'mail',
      reference: 'm',
      delivered_at: instant(at),
    };
    await recordDelivery(store.db, delivery, 'default', followed);
  }

  it('are due once their question is settled, with all that is told', async () => {
    const [record, other] = [await opened(), await opened()];
    for (const one of [record, other]) await delivered(one, '1/ana');
    await write(progressRow(record.id, 1, 2));
    assert.deepEqual(await due(), []);
    await write(settledRow(record.id, 2));
    const [one, ...more] = await due();
    assert.deepEqual(more, []);
    assert.ok(one);
    assert.deepEqual(
      [one.delivery_id, one.person, one.settled, one.shows, one.tries, one.latest],
      [`${record.id}:1/ana`, 'ana', true, 1, 0, true],
    );
    assert.equal(one.record.question, record.question);
    assert.equal(one.space, 'default');
  });

  it('come with the edits of the proposal that was decided on, oldest first', async () => {
    const record = await opened();
    await delivered(record, '1/ana');
    const edited = (sequence: number, version: number): JournalRow => {
      const row = timelineRow(record.id, sequence);
      assert.ok(row.kind === 'timeline');
      const entry = { ...row.entry, kind: 'proposal_edited' as const, detail: { version } };
      return { ...row, entry };
    };
    await write(edited(3, 3), edited(2, 2), timelineRow(record.id, 1), amendedRow(record.id, 1, 2));
    const [open] = await due();
    assert.deepEqual(open?.edits, []);
    await write(settledRow(record.id, 2));
    const [one] = await due();
    assert.deepEqual(one?.edits, [
      { kind: 'proposal_edited', detail: { version: 2 } },
      { kind: 'proposal_edited', detail: { version: 3 } },
    ]);
  });

  it('are not those of a channel that cannot tell', async () => {
    const record = await opened();
    const delivery = {
      delivery_id: `${record.id}:1`,
      channel: 'console',
      reference: null,
      delivered_at: instant(1),
    };
    await recordDelivery(store.db, delivery);
    await write(settledRow(record.id, 1));
    await sweepFollowUps(store.db);
    assert.deepEqual(await due(), []);
  });

  it('are found by a sweep where delivery and end have crossed', async () => {
    const record = await opened();
    await write(settledRow(record.id, 1));
    await delivered(record, '1/ana');
    assert.deepEqual(await due(), []);
    await sweepFollowUps(store.db);
    assert.deepEqual(await dueIds(), [':1/ana']);
  });

  it('are told once, and put off in between', async () => {
    const record = await opened();
    await delivered(record, '1/ana');
    await write(settledRow(record.id, 1));
    const [one] = await due();
    assert.ok(one);
    await notePutOff(store.db, one, instant(50));
    assert.deepEqual(await dueIds(instant(49)), []);
    assert.equal((await due(instant(50)))[0]?.tries, 1);
    await noteFollowed(store.db, one, null);
    await write(settledRow(record.id, 2));
    await sweepFollowUps(store.db);
    assert.deepEqual(await due(), []);
  });

  for (const [what, happens] of [
    ['end', (id: string) => settledRow(id, 3)],
    ['next change', (id: string) => amendedRow(id, 3, 3)],
  ] as const) {
    it(`hear of the ${what} at once, with all tries, where the change before was put off`, async () => {
      const record = await opened();
      await delivered(record, '1/ana');
      await write(amendedRow(record.id, 2, 2));
      for (let tries = 0; tries < 11; tries += 1) {
        const [one] = await due();
        assert.equal(one?.tries, tries);
        await notePutOff(store.db, one, instant(1_000));
      }
      assert.deepEqual(await due(instant(999)), []);
      await write(happens(record.id));
      const [one] = await due(instant(999));
      assert.equal(one?.tries, 0);
    });

    it(`hear of the ${what} that comes while they are told of a change`, async () => {
      const record = await opened();
      for (const name of ['ana', 'bo', 'kim']) await delivered(record, `1/${name}`);
      await write(amendedRow(record.id, 2, 2));
      const [ana, bo, kim] = await due();
      assert.ok(ana && bo && kim);
      await write(happens(record.id));
      await noteFollowed(store.db, ana, 2);
      await notePutOff(store.db, bo, instant(5_000));
      await noteFollowed(store.db, kim, null);
      const still = await due();
      assert.deepEqual(still.map(({ person, shows, tries }) => [person, shows, tries]).sort(), [
        ['ana', 2, 0],
        ['bo', 1, 0],
      ]);
      for (const one of still) await noteFollowed(store.db, one, 3);
      assert.deepEqual(await due(), []);
    });
  }

  it('say which is the newest of a person', async () => {
    const record = await opened();
    await delivered(record, '1/ana', undefined, 1);
    await delivered(record, '1/bo', undefined, 1);
    await delivered(record, '2/ana', undefined, 60);
    await write(settledRow(record.id, 1));
    const latest = Object.fromEntries(
      (await due()).map((one) => [one.delivery_id.replace(/^[^:]*/, ''), one.latest]),
    );
    assert.deepEqual(latest, { ':1/ana': false, ':1/bo': true, ':2/ana': true });
  });

  it('come in pages', async () => {
    const record = await opened();
    for (const name of ['a', 'b', 'c']) await delivered(record, `1/${name}`);
    await write(settledRow(record.id, 1));
    assert.equal((await due(instant(1_000), 2)).length, 2);
    assert.deepEqual(await due(instant(1_000), 2, ['mail', 'slack']), []);
    assert.equal((await due(instant(1_000), 2, ['slack'])).length, 2);
  });

  it('go with their space', async () => {
    const record = await opened();
    await delivered(record, '1/ana');
    const delivery = {
      delivery_id: `${record.id}:1/kim`,
      channel: 'mail',
      reference: 'm',
      delivered_at: instant(1),
    };
    await recordDelivery(store.db, delivery, 'team-b', { person: 'kim', shows: 1 });
    await write(settledRow(record.id, 1));
    assert.deepEqual(await dueIds(), [':1/ana']);
  });
});
