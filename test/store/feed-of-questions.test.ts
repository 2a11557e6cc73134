import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { JournalRow } from '../../contracts/log/journal.js';
import { QUESTION_CHANGES } from '../../contracts/suspension/view.js';
import {
  isQuestionChange,
  type FeedEntry,
  type FeedScope,
} from '../../contracts/subscription/feed.js';
import { FeedEndFinder } from '../../store/feed/end.js';
import { newestPosition, readFeed } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import { eraseSuspension } from '../../store/queries/erasure/erasure.js';
import { append, eventOf, feedOf, logIdOf, logInRun } from '../support/events.js';
import { useStore } from '../support/store.js';
import {
  PAUSE,
  aRecord,
  instant,
  openedRow,
  progressRow,
  settledRow,
  timelineRow,
} from './rows.js';

const SPACE = 'default';
const ALL: FeedScope = { kind: 'questions', space: SPACE };
const ORDER = { by: 'root', at: instant(900) };

/** The row of a new question without an intent. */
function asked(changes: Parameters<typeof aRecord>[0] = {}, asked_by = 'agent-1') {
  const record = aRecord(changes);
  const opened = { ...openedRow('', record), intent_id: null, asked_by } as JournalRow;
  return { id: record.id, opened };
}

const VOTE = { principal: 'alice', actor: 'alice', value: 'yes', question_version: 1 };
const votes = [{ ...VOTE, counted_at: instant(9) }];
const eligibility = { eligible: { groups: ['finance'] }, attempt: 2 };
const approval = { proposal: { version: 2 } } as never;
const AMENDED = { votes: [], eligibility, approval };
const claim = { holder: 'alice', claimed_at: instant(3), expires_at: instant(99) };
const later = { holder: 'bob', claimed_at: instant(5), expires_at: instant(199) };

describe('the feed of questions', () => {
  const store = useStore();
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);

  async function end(): Promise<number> {
    const { settled, pending } = await new FeedEndFinder(store.db).look();
    assert.equal(pending, false);
    return settled;
  }

  async function read(scope: FeedScope, after: number): Promise<readonly FeedEntry[]> {
    const range = { after, upTo: await end(), limit: 1_000 };
    return (await readFeed(store.db, scope, range)).rows;
  }

  /** What has changed since a position: each question with its state and the change. */
  async function changes(after: number, scope: FeedScope = ALL) {
    return (await read(scope, after)).map(({ event }) => {
      assert.ok(isQuestionChange(event));
      return [event.suspension_id, event.state, event.change];
    });
  }

  it('has each change of a question, whatever it was', async () => {
    const { id, opened } = asked();
    const steps: readonly (readonly [string, JournalRow])[] = [
      ['opened', opened],
      ['attempt', progressRow(id, 1, 2)],
      ['voted', { ...progressRow(id, 2, 2), votes }],
      ['eligibility_changed', { ...progressRow(id, 3, 2), votes, eligibility }],
      ['amended', { ...progressRow(id, 4, 2), votes: [], eligibility, approval }],
      ['claimed', { ...progressRow(id, 5, 2), ...AMENDED, claim }],
      ['released', { ...progressRow(id, 6, 2), ...AMENDED }],
      ['delegated', { ...progressRow(id, 7, 2), ...AMENDED, claim, delegates: ['alice', 'bob'] }],
      ['taken_back', { ...progressRow(id, 8, 2), ...AMENDED, claim, delegates: ['bob'] }],
      ['delegated', { ...progressRow(id, 9, 2), ...AMENDED, delegates: ['carol'] }],
      // Somebody passes it on to another who has it already, in place of the one before.
      ['delegated', { ...progressRow(id, 10, 2), ...AMENDED, claim, delegates: ['bob', 'carol'] }],
      ['delegated', { ...progressRow(id, 11, 2), ...AMENDED, claim: later, delegates: ['bob'] }],
      ['taken_back', { ...progressRow(id, 12, 2), ...AMENDED }],
      [
        'delegated',
        { ...progressRow(id, 13, 2), ...AMENDED, delegate_groups: { finance: ['alice'] } },
      ],
      [
        'delegated',
        { ...progressRow(id, 14, 2), ...AMENDED, delegate_groups: { finance: ['alice', 'bob'] } },
      ],
      // A person takes the place of the group, and a group that of the person.
      ['delegated', { ...progressRow(id, 15, 2), ...AMENDED, claim, delegates: ['bob'] }],
      [
        'delegated',
        { ...progressRow(id, 16, 2), ...AMENDED, delegate_groups: { finance: ['bob'] } },
      ],
      ['taken_back', { ...progressRow(id, 17, 2), ...AMENDED }],
      ['other', { ...progressRow(id, 18, 2), ...AMENDED, max_attempts: 4 }],
    ];
    const told: readonly string[] = QUESTION_CHANGES;
    for (const [change] of steps) assert.ok(told.includes(change), change);
    for (const [change, row] of steps) {
      const before = await end();
      await write(row);
      assert.deepEqual(await changes(before), [[id, 'pending', change]]);
    }
    const open = await end();
    await write(settledRow(id, 19));
    assert.deepEqual(await changes(open), [[id, 'settled', 'settled']]);
    const settled = await end();
    await eraseSuspension(store.db, id, ORDER);
    assert.deepEqual(await changes(settled), [[id, 'settled', 'erased']]);
  });

  it('has a question once, at its latest change', async () => {
    const before = await end();
    const [one, other] = [asked(), asked()];
    await write(one.opened, other.opened);
    await write(progressRow(one.id, 1, 2));
    assert.deepEqual(await changes(before), [
      [other.id, 'pending', 'opened'],
      [one.id, 'pending', 'attempt'],
    ]);
  });

  it('keeps the place of a question to which nothing new is written', async () => {
    const { id, opened } = asked();
    await write(opened, progressRow(id, 2, 2));
    const before = await end();
    await write(opened, progressRow(id, 2, 2), progressRow(id, 1, 1), timelineRow(id, 1));
    assert.deepEqual(await changes(before), []);
  });

  it('leaves a question out until its opening is stored', async () => {
    const before = await end();
    const { id, opened } = asked();
    await write(progressRow(id, 1, 2), timelineRow(id, 1));
    await write(settledRow(id, 2));
    assert.deepEqual(await changes(before), []);
    await write(opened);
    assert.deepEqual(await changes(before), [[id, 'settled', 'settled']]);
  });

  it('leaves pauses out', async () => {
    const before = await end();
    const { id, opened } = asked({ pause: PAUSE });
    await write(opened);
    await write(settledRow(id, 1));
    assert.deepEqual(await changes(before), []);
  });

  it('is apart for each asker and for each space', async () => {
    const before = await end();
    const [mine, other] = [asked({}, 'agent-1'), asked({}, 'agent-2')];
    await write(mine.opened, other.opened);
    const elsewhere = asked({}, 'agent-1');
    await writeRows(store.db, [elsewhere.opened], 'eu');
    const own: FeedScope = { kind: 'questions_of', id: 'agent-1', space: SPACE };
    assert.deepEqual(await changes(before, own), [[mine.id, 'pending', 'opened']]);
    assert.equal((await changes(before)).length, 2);
    const abroad = await changes(before, { kind: 'questions', space: 'eu' });
    assert.deepEqual(abroad, [[elsewhere.id, 'pending', 'opened']]);
  });

  it('is one with the events of logs for whoever reads everything, and in no stream of events', async () => {
    const start = await end();
    const [run, intent, { id, opened }] = [`run ${randomUUID()}`, randomUUID(), asked()];
    await logInRun(store.db, run, 'a');
    await write(opened);
    await append(store.db, eventOf(intent, 1));
    const all = await read({ kind: 'everything' }, start);
    assert.deepEqual(
      all.map(({ event }) => logIdOf(event)),
      [run, id, intent],
    );
    const events = await read({ kind: 'all', space: SPACE }, start);
    assert.deepEqual(
      events.map(({ event }) => logIdOf(event)),
      [run, intent],
    );
    await write(progressRow(id, 1, 2));
    const [last] = await read(ALL, Number(all.at(-1)?.position));
    assert.equal(await newestPosition(store.db, await end()), last?.position);
  });

  it('has parts that neither repeat nor miss', async () => {
    const start = await end();
    const questions = Array.from({ length: 7 }, () => asked());
    for (const { opened } of questions) await write(opened);
    await append(store.db, eventOf(randomUUID(), 1));
    const ids: string[] = [];
    for (let after = start, more = true; more;) {
      const range = { after, upTo: await end(), limit: 3 };
      const part = await readFeed(store.db, { kind: 'everything' }, range);
      ids.push(...part.rows.map(({ event }) => logIdOf(event)));
      after = part.rows.at(-1)?.position ?? after;
      more = part.more;
    }
    assert.deepEqual(
      ids.slice(0, 7),
      questions.map(({ id }) => id),
    );
    assert.equal(ids.length, 8);
  });

  it('takes its numbers under the lock that readers wait for', async () => {
    await store.db.transaction().execute(async (transaction) => {
      const { id } = asked();
      const row = { id, space: SPACE, asked_by: 'agent-1', record: '{}' };
      await transaction.insertInto('suspensions').values(row).execute();
      const { rows } = await sql<{ held: number }>`
        select count(*)::integer as held from pg_locks
        where locktype = 'advisory' and classid = 1212370020 and objid = 1
          and mode = 'ShareLock' and granted and pid = pg_backend_pid()`.execute(transaction);
      assert.equal(rows[0]?.held, 1);
      await transaction.deleteFrom('suspensions').where('id', '=', id).execute();
    });
  });

  it('comes to those who follow questions, read once for all, and to no pump', async () => {
    const hub = feedOf(store);
    await hub.join();
    const seen: string[] = [];
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const deliver = (entries: readonly FeedEntry[]): void => {
      seen.push(...entries.map(({ event }) => logIdOf(event)));
      arrive();
    };
    const woken: string[] = [];
    const stop = hub.watch({ kind: 'everything' }, () => woken.push('pump'));
    const take = async (entries: readonly FeedEntry[]): Promise<void> => {
      deliver(entries);
    };
    const leave = await hub.follow(ALL, hub.position, { deliver, take });
    const { id, opened } = asked();
    await write(opened);
    await arrived;
    assert.deepEqual([seen, woken], [[id], []]);
    leave();
    stop();
    hub.leave();
  });
});
