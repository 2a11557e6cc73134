import assert from 'node:assert/strict';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { QuietHours } from '../../contracts/people/noticing.js';
import { writeRows } from '../../store/journal-writer.js';
import {
  endPushSubscription,
  isSubscribedToPush,
  notePushCallers,
  putPushSubscription,
  sessionsWithPush,
} from '../../store/queries/work/push.js';
import {
  duePushes,
  fanOutPushes,
  notePushed,
  putPushOff,
  questionsToPush,
  sweepPushes,
} from '../../store/queries/work/push-work.js';
import { quietHoursOf, setQuietHours } from '../../store/queries/people/personal-settings.js';
import { addSession, endSession, noteSessionSeen } from '../../store/queries/people/session.js';
import { deleteSnooze, putSnooze } from '../../store/queries/people/snooze.js';
import { withStore, type TestStore } from '../support/store.js';
import { aRecord, anIntent, instant, openedRow, progressRow, settledRow } from './rows.js';

const IDLE = 3_600;
const HOURS: QuietHours = { time_zone: 'UTC', from: '19:00', to: '08:00', whole_days: [] };

function person(principal: string, groups: readonly string[] = []): Caller {
  return { space: 'default', principal, roles: ['operator'], groups };
}

describe('browsers that are told of questions', () => {
  let store: TestStore;
  beforeEach(async () => {
    store = await withStore();
  });
  afterEach(() => store.close());

  async function signedIn(id: string, caller: Caller): Promise<void> {
    const { space, principal } = caller;
    const proof = { by: 'key', digest: '00' } as const;
    const times = { seen_at: instant(0), expires_at: instant(8 * 3_600) };
    await addSession(store.db, { id, space, principal, proof, ...times });
  }
  const subscribe = (session_id: string, caller: Caller, endpoint = `https://push/${session_id}`) =>
    putPushSubscription(
      store.db,
      {
        session_id,
        caller,
        endpoint,
        p256dh: 'p',
        auth: 'a',
        public_key: 'k',
        shows_words: true,
      },
      instant(0),
    );
  async function subscribed(id: string, caller: Caller): Promise<void> {
    await signedIn(id, caller);
    assert.equal(await subscribe(id, caller), true);
  }
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);
  async function asked(rule?: object): Promise<string> {
    const record = { ...aRecord(), ...(rule && { decision_rule: rule }) } as ReturnType<
      typeof aRecord
    >;
    await write(openedRow(anIntent().id, record));
    return record.id;
  }
  const fanOut = () => fanOutPushes(store.db, false, instant(1));
  const due = (at = instant(2), except: readonly string[] = []) =>
    duePushes(store.db, { at, idleSeconds: IDLE, limit: 10, except });
  const sessionsDue = async (at?: string) => (await due(at)).map(({ session_id }) => session_id);
  async function toldNow(id: string) {
    const one = (await due()).find(({ session_id }) => session_id === id);
    return one === undefined ? [] : questionsToPush(store.db, one, false, instant(2));
  }
  const snooze = (suspension_id: string, until: string, by = 'ana') =>
    putSnooze(
      store.db,
      { space: 'default', by, now: instant(0) },
      {
        suspension_id,
        until,
        until_reminder: false,
        snoozed_at: instant(0),
        attempt: null,
        question_version: 1,
      },
    );

  it('are told of what is for their person, and of nothing else', async () => {
    await subscribed('ana', person('ana', ['finance']));
    await subscribed('bo', person('bo'));
    await subscribed('eve', { ...person('ana', ['finance']), space: 'other' });
    await subscribed('bot', { ...person('bot'), roles: ['agent'] });
    const id = await asked({ eligible: { groups: ['finance'] } });
    assert.equal(await fanOut(), false);
    assert.deepEqual(await sessionsDue(), ['ana']);
    const [question, ...others] = await toldNow('ana');
    assert.deepEqual([question?.id, question?.attempt, others], [id, 1, []]);
  });

  it('are told once more when it is delegated to their person, or to a group of it', async () => {
    for (const [id, groups] of [
      ['ana', []],
      ['bo', ['finance']],
      ['zoe', ['finance']],
    ] as const) {
      await subscribed(id, person(id, groups));
    }
    const question = await asked();
    const tellAll = async () => {
      await fanOut();
      const told = (await sessionsDue()).sort();
      for (const id of told) await notePushed(store.db, id, await toldNow(id), instant(3));
      return told;
    };
    assert.deepEqual(await tellAll(), ['ana', 'bo', 'zoe']);
    await write({ ...progressRow(question, 1, 1), delegates: ['ana'] });
    assert.deepEqual(await tellAll(), ['ana']);
    await write({
      ...progressRow(question, 2, 1),
      delegates: ['ana'],
      delegate_groups: { finance: ['zoe'] },
    });
    assert.deepEqual(await tellAll(), ['bo']);
  });

  it('are told once of each attempt', async () => {
    await subscribed('ana', person('ana'));
    const id = await asked();
    await fanOut();
    await notePushed(store.db, 'ana', await toldNow('ana'), instant(3));
    assert.deepEqual(await sessionsDue(), []);
    await write({ ...progressRow(id, 1, 1), next_attempt_at: instant(9) });
    await fanOut();
    assert.deepEqual(await sessionsDue(), []);
    await write(progressRow(id, 2, 2));
    await fanOut();
    assert.deepEqual(
      (await toldNow('ana')).map(({ attempt }) => attempt),
      [2],
    );
  });

  it('are told of what came while they were told of something else', async () => {
    await subscribed('ana', person('ana'));
    const id = await asked();
    await fanOut();
    const told = await toldNow('ana');
    await write(progressRow(id, 1, 2));
    await asked();
    await fanOut();
    await notePushed(store.db, 'ana', told, instant(1));
    const left = await toldNow('ana');
    assert.deepEqual(left.map(({ attempt }) => attempt).sort(), [1, 2]);
  });

  it('are not told of what was settled before', async () => {
    await subscribed('ana', person('ana'));
    const id = await asked();
    await fanOut();
    await write(settledRow(id, 1));
    assert.deepEqual(await toldNow('ana'), []);
    await notePushed(store.db, 'ana', [], instant(3));
    assert.deepEqual(await sessionsDue(), []);
    await sweepPushes(store.db, instant(2));
    assert.deepEqual(await store.db.selectFrom('pushes').selectAll().execute(), []);
  });

  it('cost questions nothing where there are none', async () => {
    await asked();
    assert.deepEqual(await store.db.selectFrom('push_news').selectAll().execute(), []);
  });

  it('end with their session, however it ends', async () => {
    for (const id of ['out', 'used']) await subscribed(id, person(id));
    await asked();
    await fanOut();
    await endSession(store.db, 'out', instant(1));
    assert.equal(await isSubscribedToPush(store.db, 'out'), false);
    assert.equal(await subscribe('out', person('out')), false);
    assert.deepEqual(await sessionsDue(), ['used']);
    await sweepPushes(store.db, instant(8 * 3_600 - 1));
    assert.equal((await sessionsWithPush(store.db)).length, 1);
    const vouched = instant(8 * 3_600);
    await notePushCallers(store.db, [['used', person('used')]], vouched);
    assert.deepEqual(await sessionsDue(vouched), []);
    await sweepPushes(store.db, vouched);
    assert.deepEqual(await sessionsWithPush(store.db), []);
  });

  it('go on while their session is idle, which is said', async () => {
    for (const id of ['used', 'idle']) await subscribed(id, person(id));
    await asked();
    await fanOut();
    await noteSessionSeen(store.db, 'used', instant(IDLE));
    const vouched = ['used', 'idle'].map((id) => [id, person(id)] as const);
    await notePushCallers(store.db, vouched, instant(IDLE));
    const found = await due(instant(IDLE));
    assert.deepEqual(found.map(({ session_id, is_idle }) => `${session_id} ${is_idle}`).sort(), [
      'idle true',
      'used false',
    ]);
  });

  it('are told of what their person put off when that ends, and of nothing before', async () => {
    await subscribed('ana', person('ana'));
    await subscribed('bo', person('bo'));
    const id = await asked();
    await fanOut();
    await snooze(id, instant(60));
    assert.deepEqual(await toldNow('ana'), []);
    assert.equal((await toldNow('bo')).length, 1);
    await notePushed(store.db, 'ana', [], instant(12));
    await notePushed(store.db, 'bo', await toldNow('bo'), instant(12));
    await sweepPushes(store.db, instant(59));
    assert.deepEqual(await sessionsDue(instant(59)), []);
    await sweepPushes(store.db, instant(60));
    const [ana, ...others] = await due(instant(60));
    assert.deepEqual([ana?.session_id, others], ['ana', []]);
    assert.ok(ana);
    const told = await questionsToPush(store.db, ana, false, instant(60));
    assert.equal(told.length, 1);
    await notePushed(store.db, 'ana', told, instant(70));
    await sweepPushes(store.db, instant(120));
    assert.deepEqual(await sessionsDue(instant(120)), []);
  });

  it('hear again of what was put off before they were there, or after they were told', async () => {
    await subscribed('ana', person('ana'));
    const id = await asked();
    await fanOut();
    await notePushed(store.db, 'ana', await toldNow('ana'), instant(3));
    await snooze(id, instant(60));
    await subscribed('phone', person('ana'));
    await sweepPushes(store.db, instant(59));
    assert.deepEqual(await sessionsDue(instant(60)), []);
    await sweepPushes(store.db, instant(60));
    assert.deepEqual((await sessionsDue(instant(60))).sort(), ['ana', 'phone']);
  });

  it('hear nothing of what their person has taken up again', async () => {
    await subscribed('ana', person('ana'));
    const id = await asked();
    await snooze(id, instant(60));
    await deleteSnooze(store.db, { space: 'default', by: 'ana' }, id);
    await sweepPushes(store.db, instant(60));
    assert.deepEqual(await sessionsDue(instant(60)), []);
  });

  it('are told nothing once no API vouches for their session', async () => {
    await subscribed('ana', person('ana'));
    await asked();
    await fanOut();
    assert.deepEqual(await sessionsDue(instant(299)), ['ana']);
    assert.deepEqual(await sessionsDue(instant(301)), []);
    await notePushCallers(store.db, [['ana', person('ana')]], instant(301));
    assert.deepEqual(await sessionsDue(instant(302)), ['ana']);
  });

  it('are judged by the rights of now', async () => {
    await subscribed('ana', person('ana', ['finance']));
    await asked({ eligible: { groups: ['finance'] } });
    await fanOut();
    await notePushCallers(store.db, [['ana', person('ana')]], instant(1));
    assert.deepEqual(await toldNow('ana'), []);
  });

  it('belong to the session that named their address last', async () => {
    await subscribed('ana', person('ana'));
    await signedIn('bo', person('bo'));
    await subscribe('bo', person('bo'), 'https://push/ana');
    assert.equal(await isSubscribedToPush(store.db, 'ana'), false);
    await endPushSubscription(store.db, 'bo');
    assert.equal(await isSubscribedToPush(store.db, 'bo'), false);
  });

  it('wait after a failure, and a busy host holds up no other', async () => {
    await subscribed('ana', person('ana'));
    await asked();
    await fanOut();
    assert.deepEqual(await due(instant(2), ['push']), []);
    await putPushOff(store.db, 'ana', instant(60), true);
    assert.deepEqual(await sessionsDue(instant(59)), []);
    const [again] = await due(instant(60));
    assert.equal(again?.tries, 1);
  });

  it('are quiet as their person says, and hear at once when that ends', async () => {
    await subscribed('ana', person('ana'));
    await setQuietHours(store.db, person('ana'), HOURS, instant(0));
    assert.deepEqual(await quietHoursOf(store.db, person('ana')), HOURS);
    assert.equal(await quietHoursOf(store.db, { ...person('ana'), space: 'other' }), undefined);
    await asked();
    await fanOut();
    assert.deepEqual((await due())[0]?.quiet_hours, HOURS);
    await putPushOff(store.db, 'ana', instant(3_000), false);
    assert.deepEqual(await sessionsDue(), []);
    await setQuietHours(store.db, person('ana'), null, instant(2));
    assert.deepEqual((await due())[0]?.quiet_hours, null);
  });
});
