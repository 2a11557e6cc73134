import assert from 'node:assert/strict';
import type { QuestionEnd } from '../../activities/ports/reconciliation.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { recordWith } from '../domain/samples.js';
import { progressRow } from '../store/rows.js';

import { ANSWER, Away, Installation, SINCE } from './installation.js';

function settledWith(...rows: JournalRow[]): QuestionEnd {
  return { kind: 'settled', settlement: { ...ANSWER, settled_at: SINCE }, rows };
}

function settledRow(id: string, revision: number): JournalRow {
  const settlement = { ...ANSWER, settled_at: SINCE };
  return { kind: 'suspension_settled', suspension_id: id, revision, settlement };
}

describe('reconciling the store with Temporal', () => {
  let here: Installation;
  beforeEach(() => {
    here = new Installation();
  });

  it('writes the rows that a question returned, and tells who waits', async () => {
    here.open('q1', settledWith(settledRow('q1', 3)));
    assert.deepEqual(await here.look(), {
      looked_until: '2026-03-24T09:59:30.000Z',
      written: 1,
      lost: 0,
      missing: 0,
      unknown: 0,
      behind: 0,
      handed_in: 0,
      contradicted: 0,
    });
    assert.deepEqual(here.rows, [settledRow('q1', 3)]);
    assert.deepEqual(here.told, [['q1', here.records.get('q1'), 'team-b']]);
    assert.deepEqual(here.found, ['q1 written']);
  });

  it('writes the outcome where its rows were lost with the intent that had them', async () => {
    here.open('q1', settledWith());
    assert.equal((await here.look()).written, 1);
    const [row] = here.rows;
    assert.ok(row?.kind === 'suspension_settled');
    assert.deepEqual([row.revision, row.settlement.response], [0, 'yes']);
  });

  it('cancels a question whose workflow ended without an outcome', async () => {
    here.open('q1', { kind: 'gone' });
    assert.equal((await here.look()).lost, 1);
    const { resolution, reason } = here.records.get('q1') as SettledRecord;
    assert.deepEqual([resolution, reason], ['cancelled', 'suspension_lost']);
    assert.equal(here.told.length, 1);
  });

  it('tells who waits for a lost question, though the first report fails', async () => {
    here.open('q1', { kind: 'gone' }).untellable.add('q1');
    assert.equal((await here.look()).lost, 0);
    assert.deepEqual(here.found, ['q1 failed Temporal is busy']);
    assert.equal((await here.look()).lost, 1);
    assert.deepEqual(here.told, [['q1', here.records.get('q1'), 'team-b']]);
    await here.look();
    assert.equal(here.told.length, 1);
  });

  it('leaves a question alone whose workflow runs', async () => {
    here.open('q1');
    const { written, lost, missing } = await here.look();
    assert.deepEqual([written, lost, missing, here.rows, here.told], [0, 0, 0, [], []]);
  });

  it('leaves a question alone that is settled in the store', async () => {
    here.open('q1', settledWith(settledRow('q1', 3)));
    await here.look();
    const { written } = await here.look();
    assert.deepEqual([written, here.rows.length, here.told.length], [0, 1, 1]);
  });

  it('leaves what Temporal does not know as it is, unless it is told to cancel it', async () => {
    here.open('q1', { kind: 'missing' });
    assert.equal((await here.look({ since: null })).missing, 1);
    assert.deepEqual([here.told, here.found], [[], ['q1 missing']]);
    assert.equal((await here.look({ since: null, cancel_missing: true })).lost, 1);
    assert.equal((here.records.get('q1') as SettledRecord).resolution, 'cancelled');
  });

  it('says nothing of a question that the store does not have', async () => {
    here.open('q1', { kind: 'gone' }).open('q2', settledWith());
    here.records.clear();
    const { written, lost } = await here.look();
    assert.deepEqual([written, lost, here.told], [0, 0, []]);
  });

  it('has an open question write its opening that nobody wrote', async () => {
    here.open('known').unopened.set('q1', recordWith({ id: 'q1' }));
    assert.equal((await here.look()).unknown, 1);
    assert.deepEqual([here.asked, here.found], [['suspension q1'], ['q1 unknown']]);
  });

  it('has an intent write that the store does not have', async () => {
    here.uncreated.push('i1');
    assert.equal((await here.look()).behind, 1);
    assert.deepEqual([here.asked, here.found], [['intent i1'], ['i1 behind']]);
  });

  it('has an intent write that the store has as it was before its question was asked, or ended', async () => {
    here.open('open').behind.set('open', 'i1');
    here.open('over', settledWith(settledRow('over', 3))).behind.set('over', 'i2');
    here.pages = [[{ id: 'over', space: 'team-b' }]];
    assert.equal((await here.look()).behind, 2);
    assert.deepEqual(here.asked, ['intent i1', 'intent i2']);
  });

  it('asks no intent to write that is closed, and counts it as nothing', async () => {
    here.open('q1').behind.set('q1', 'i1');
    here.closed.add('i1');
    assert.equal((await here.look()).behind, 0);
    assert.deepEqual(here.found, []);
  });

  for (const since of [SINCE, null]) {
    it(`hands an outcome in again that Temporal has forgotten, once: ${since ?? 'all'}`, async () => {
      here.records.set('q1', recordWith({ id: 'q1', ...ANSWER, settled_at: SINCE }));
      here.records.set('busy', recordWith({ id: 'busy', ...ANSWER, settled_at: SINCE }));
      here.forgotten.add('q1');
      assert.equal((await here.look({ since })).handed_in, 1);
      assert.deepEqual([here.found, here.rows, here.told], [['q1 handed_in'], [], []]);
      assert.equal((await here.look({ since })).handed_in, 0);
    });
  }

  it('names who went on with another outcome, and repairs nothing', async () => {
    const question = { id: 'q1', space: 'team-b', asked_by: 'agent-1', waiting_workflow: 'refund' };
    here.contradicted.push(question);
    assert.equal((await here.look()).contradicted, 1);
    assert.deepEqual(
      [here.found, here.rows, here.told, here.asked],
      [['q1 contradicted agent-1'], [], [], []],
    );
  });

  it('writes the opening of a question that has ended, too', async () => {
    here.open('q1', settledWith(settledRow('q1', 3))).records.clear();
    here.unopened.set('q1', recordWith({ id: 'q1' }));
    assert.equal((await here.look()).written, 1);
    assert.equal((here.records.get('q1') as SettledRecord).response, 'yes');
  });

  it('begins a little before the end of the last look, and lets go what ended just now', async () => {
    await here.look();
    await here.look({ since: null });
    const until = '2026-03-24T09:59:30.000Z';
    const time = { from: '2026-03-24T09:54:00.000Z', to: until };
    assert.deepEqual(here.ranges, [time, time, time, until, until, until]);
  });

  it('looks at every question of every page once', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `q${index}`);
    for (const id of ids) here.open(id, { kind: 'gone' });
    here.pages = [here.pages.flat().slice(0, 20), here.pages.flat().slice(20)];
    assert.equal((await here.look()).lost, 30);
    assert.deepEqual(here.told.map(([id]) => id).sort(), ids.sort());
  });

  it('brings an open question up to date where it looks at all of them', async () => {
    const row = progressRow('q1', 4, 2);
    here.open('q1').progress.set('q1', row);
    assert.deepEqual([(await here.look()).behind, here.rows], [0, []]);
    assert.equal((await here.look({ since: null })).behind, 1);
    assert.deepEqual([here.rows, here.found], [[row], ['q1 behind']]);
  });

  it('asks no other question where no worker says how far three have come', async () => {
    for (const id of ['q1', 'q2', 'q3', 'q4', 'q5']) here.open(id);
    here.open('q6', { kind: 'gone' }).isSilent = true;
    const { behind, lost } = await here.look({ since: null });
    assert.deepEqual([behind, lost, here.queried], [0, 1, ['q1', 'q2', 'q3']]);
    assert.deepEqual(here.warned, ['open questions are not up to date: 5 gave no answer']);
  });

  it('goes on after what fails, and begins with it the next time', async () => {
    here.open('q1', { kind: 'gone' }).open('q2', { kind: 'gone' }).open('q3', { kind: 'gone' });
    here.broken.set('q1', new Error('no such query'));
    const failed = [{ type: 'suspension', id: 'q1', space: 'team-b' }] as const;
    const first = await here.look();
    assert.deepEqual([first.lost, first.failed], [2, failed]);
    assert.deepEqual(here.found, ['q1 failed no such query', 'q2 lost', 'q3 lost']);
    here.broken.clear();
    here.pages = [];
    const { lost, failed: none } = await here.look({ since: SINCE, again: failed });
    assert.deepEqual([lost, none, here.told.length], [1, undefined, 3]);
  });

  it('tells an outcome again that it has written, but could not tell', async () => {
    here.open('q1', settledWith(settledRow('q1', 3))).untellable.add('q1');
    const { failed = [] } = await here.look();
    assert.equal(here.isSettled('q1'), true);
    await here.look({ since: SINCE, again: failed });
    assert.deepEqual(here.told, [['q1', here.records.get('q1'), 'team-b']]);
  });

  it('tells an intent again to write that could not be told', async () => {
    here.unreachable.add('i1');
    here.uncreated.push('i1', 'i2');
    const { failed = [], behind } = await here.look();
    assert.deepEqual(
      [failed, behind, here.asked],
      [[{ type: 'intent', id: 'i1', space: 'team-b' }], 1, ['intent i2']],
    );
    here.uncreated.length = 0;
    assert.equal((await here.look({ since: SINCE, again: failed })).behind, 1);
    assert.deepEqual(here.asked, ['intent i2', 'intent i1']);
  });

  it('is made again where Temporal or the store is away', async () => {
    here.open('q1', { kind: 'gone' }).broken.set('q1', new Away('no connection'));
    await assert.rejects(here.look(), Away);
    assert.deepEqual(here.found, []);
  });

  it('is made again in the end where more fail than a result can name', async () => {
    for (let index = 0; index < 101; index += 1) {
      here.open(`q${index}`, { kind: 'gone' }).broken.set(`q${index}`, new Error('broken'));
    }
    here.open('last', { kind: 'gone' });
    await assert.rejects(here.look(), /101 could not be looked at/);
    assert.equal(here.told.length, 1);
    here.broken.delete('q0');
    assert.equal((await here.look()).failed?.length, 100);
  });

  it('ends at what fails once it is told to end', async () => {
    here.open('q1', { kind: 'gone' }).broken.set('q1', new Error('broken'));
    let calls = 0;
    here.goOn = () => {
      if (++calls === 5) throw new Error('stop');
    };
    await assert.rejects(here.look(), /stop/);
    assert.deepEqual(here.found, []);
  });

  it('tells of its progress with each question', async () => {
    let beats = 0;
    here.goOn = () => void (beats += 1);
    await here.look();
    const without = beats;
    for (const id of ['q1', 'q2', 'q3']) here.open(id, { kind: 'gone' });
    here.pages = [here.pages.flat()];
    await here.look();
    assert.equal(beats - without, without + 1 + 3);
  });

  it('ends before a page when it is told to', async () => {
    here.open('q1', { kind: 'gone' }).open('q2', { kind: 'gone' });
    let calls = 0;
    here.goOn = () => {
      if (++calls === 6) throw new Error('stop');
    };
    await assert.rejects(here.look(), /stop/);
    assert.deepEqual(here.found, ['q1 lost']);
  });

  describe('in slices', () => {
    beforeEach(() => {
      for (const id of ['q1', 'q2', 'q3']) here.open(id, { kind: 'gone' });
    });

    it('goes on after the page that it came to, until all is done', async () => {
      here.isOver = () => true;
      let look = await here.look({ since: null });
      const lost = [look.lost];
      while (look.next) {
        look = await here.look({ since: null, so_far: look });
        lost.push(look.lost);
      }
      assert.deepEqual([...new Set(lost)].sort(), [0, 1, 2, 3]);
      assert.deepEqual(here.found, ['q1 lost', 'q2 lost', 'q3 lost']);
      assert.equal(look.looked_until, '2026-03-24T09:59:30.000Z');
    });

    it('keeps what a try has done that failed', async () => {
      here.broken.set('q2', new Away('no connection'));
      await assert.rejects(here.look({ since: null }), Away);
      assert.equal(here.soFar?.lost, 1);
      here.broken.clear();
      const before = here.looked.length;
      const { lost, next } = await here.look({ since: null, so_far: here.soFar });
      assert.deepEqual([lost, next, here.looked.slice(before)], [3, undefined, ['q2', 'q3']]);
    });

    it('names in the end what failed in each of them', async () => {
      here.isOver = () => true;
      for (const id of ['q1', 'q3']) here.broken.set(id, new Error('broken'));
      let look = await here.look();
      while (look.next) look = await here.look({ since: SINCE, so_far: look });
      assert.deepEqual(
        look.failed?.map(({ id }) => id),
        ['q1', 'q3'],
      );
    });
  });
});
