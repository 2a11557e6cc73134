import assert from 'node:assert/strict';
import { directorySchema } from '../../../contracts/people/directory.js';
import { pushConfigSchema, type QuietHours } from '../../../contracts/people/noticing.js';
import {
  checkDelegate,
  checkRecipients,
  groupsOf,
  isPushHost,
  personNamed,
  recipientsNamed,
} from '../../../domain/directory/directory.js';
import { quietUntil } from '../../../domain/directory/quiet-hours.js';
import { granted, refused } from '../samples.js';

const DIRECTORY = directorySchema.parse({
  people: {
    ana: { name: 'Ana Ruiz', email: 'ana@example.com' },
    bo: { email: 'bo@example.com' },
    kim: { email: 'kim@example.com', space: 'team-b' },
  },
  groups: { finance: ['ana', 'bo', 'kim'], night: ['kim'] },
});
const named = (name: string, space = 'default') =>
  recipientsNamed(DIRECTORY, name, space).map(({ principal }) => principal);

describe('the directory', () => {
  it('finds a person by its principal, in its own space alone', () => {
    assert.equal(personNamed(DIRECTORY, 'ana', 'default')?.name, 'Ana Ruiz');
    assert.equal(personNamed(DIRECTORY, 'ana', 'team-b'), undefined);
    assert.equal(personNamed(undefined, 'ana', 'default'), undefined);
  });

  it('takes a group for those of its people who are in the space', () => {
    assert.deepEqual(named('finance'), ['ana', 'bo']);
    assert.deepEqual(named('finance', 'team-b'), ['kim']);
    assert.deepEqual(named('bo'), ['bo']);
    assert.deepEqual(named('night'), []);
    assert.deepEqual(recipientsNamed(undefined, 'ana', 'default'), []);
  });

  it('refuses to pass a question on to whom it does not know', () => {
    granted(checkDelegate(DIRECTORY, { to: 'ana' }, 'default'));
    granted(checkDelegate(undefined, { to: 'eve' }, 'default'));
    for (const [to, space] of [
      ['eve', 'default'],
      ['kim', 'default'],
      ['finance', 'default'],
    ] as const) {
      const { code, field } = refused(checkDelegate(DIRECTORY, { to }, space));
      assert.deepEqual([code, field], ['unknown_recipient', 'to'], to);
    }
  });

  it('knows a group where it has people, and says which one was meant', () => {
    granted(checkDelegate(DIRECTORY, { to_group: 'finance' }, 'default'));
    granted(checkDelegate(undefined, { to_group: 'nobody' }, 'default'));
    const unknown = (to_group: string, space = 'default') =>
      refused(checkDelegate(DIRECTORY, { to_group }, space));
    for (const name of ['ana', 'night', 'constructor', 'financ']) {
      assert.deepEqual(
        [unknown(name).code, unknown(name).field],
        ['unknown_recipient', 'to_group'],
        name,
      );
    }
    assert.match(unknown('financ').detail, / Did you mean finance\?$/);
    assert.match(unknown('financ').accepted ?? '', /^a group of the directory/);
    const asPerson = refused(checkDelegate(DIRECTORY, { to: 'finance' }, 'default'));
    assert.match(asPerson.accepted ?? '', /`to_group`/);
  });

  it('says whom it probably means, of the people of the space', () => {
    const detailOf = (to: string) => refused(checkDelegate(DIRECTORY, { to }, 'default')).detail;
    assert.match(detailOf('anna'), /does not know anna, .* Did you mean ana\?$/);
    assert.doesNotMatch(detailOf('kimm'), /mean/);
    assert.doesNotMatch(detailOf('zacharias'), /mean/);
  });

  it('does not take for a name what every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString']) assert.deepEqual(named(name), []);
  });

  it('knows the groups of a person', () => {
    assert.deepEqual(groupsOf(DIRECTORY, 'kim'), ['finance', 'night']);
    assert.deepEqual(groupsOf(DIRECTORY, 'nobody'), []);
  });
});

describe('the recipients of a ladder', () => {
  const check = (names: readonly (string | null | undefined)[], space = 'default') =>
    checkRecipients(
      DIRECTORY,
      names.map((notify_to) => ({ notify_to })),
      space,
    );

  it('are refused where the directory does not know one, and nobody is named', () => {
    const refused = check(['ana', null, 'stranger']);
    assert.ok(!refused.ok);
    assert.equal(refused.refusal.code, 'unknown_recipient');
    assert.equal(refused.refusal.field, 'retry_policy.escalation_ladder[2].notify_to');
    assert.doesNotMatch(JSON.stringify(refused.refusal), /ana|finance/);
  });

  it('are refused where nobody of the space is meant', () => {
    assert.equal(check(['night']).ok, false);
    assert.equal(check(['night'], 'team-b').ok, true);
  });

  it('pass where they are people, groups or nobody', () => {
    assert.equal(check(['ana', 'finance', null, undefined]).ok, true);
  });

  it('are left to the channels without a directory', () => {
    assert.equal(checkRecipients(undefined, [{ notify_to: 'anyone' }], 'default').ok, true);
  });
});

const { hosts } = pushConfigSchema.parse({});
const isAllowed = (url: string, allowsPrivate = false, of = hosts) =>
  isPushHost(new URL(url), of, allowsPrivate);

describe('the hosts of push services', () => {
  it('are those of the browsers, unless others are named', () => {
    for (const url of [
      'https://fcm.googleapis.com/fcm/send/abc',
      'https://updates.push.services.mozilla.com/wpush/v2/abc',
      'https://web.push.apple.com/abc',
      'https://db5p.notify.windows.com/w/?token=abc',
    ])
      assert.equal(isAllowed(url), true, url);
  });

  it('are no others, however alike', () => {
    for (const url of [
      'http://fcm.googleapis.com/fcm/send/abc',
      'https://fcm.googleapis.com.evil.example/',
      'https://evilfcm.googleapis.com/',
      'https://push.apple.com.evil.example/',
      'https://evilpush.apple.com/',
      'https://fcm.googleapis.com:8443/',
      'https://web.push.apple.com:8443/',
      'https://me@fcm.googleapis.com/',
      'https://:secret@fcm.googleapis.com/',
      'https://push.apple.com/',
      'https://push.apple.com:8443/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'ftp://fcm.googleapis.com/',
    ])
      assert.equal(isAllowed(url), false, url);
  });

  it('may be in a private network if they are named with their port', () => {
    const url = 'http://127.0.0.1:8081/one';
    assert.equal(isAllowed(url, true, ['127.0.0.1:8081']), true);
    assert.equal(isAllowed(url, true, ['127.0.0.1']), false);
    assert.equal(isAllowed(url, false, ['127.0.0.1:8081']), false);
    assert.equal(isAllowed('ftp://127.0.0.1:8081/one', true, ['127.0.0.1:8081']), false);
    for (const named of ['fcm.googleapis.com', 'web.push.apple.com']) {
      assert.equal(isAllowed(`http://${named}/one`, true), false, named);
    }
  });

  it('are refused in the configuration if they are no hosts', () => {
    for (const host of ['https://fcm.googleapis.com', '*', '*.', 'a b', 'x.com/y', ''])
      assert.equal(pushConfigSchema.safeParse({ hosts: [host] }).success, false, host);
  });
});

const BERLIN: QuietHours = {
  time_zone: 'Europe/Berlin',
  from: '19:00',
  to: '08:00',
  whole_days: ['sat', 'sun'],
};

/** When it is no longer quiet, as an instant. */
function until(hours: QuietHours, now: string): string | null | undefined {
  const end = quietUntil(hours, Date.parse(now));
  return typeof end === 'number' ? new Date(end).toISOString() : end;
}

describe('quiet hours', () => {
  it('are over in the day, to the minute', () => {
    assert.equal(until(BERLIN, '2026-11-25T17:59:59Z'), undefined);
    assert.equal(until(BERLIN, '2026-11-26T07:00:00Z'), undefined);
  });

  it('last over midnight, in the time zone of the person', () => {
    assert.equal(until(BERLIN, '2026-11-25T18:00:00Z'), '2026-11-26T07:00:00.000Z');
    assert.equal(until(BERLIN, '2026-11-26T06:59:30Z'), '2026-11-26T07:00:00.000Z');
  });

  it('last over whole days, and the night after them', () => {
    assert.equal(until(BERLIN, '2026-11-27T20:00:00Z'), '2026-11-30T07:00:00.000Z');
    assert.equal(until(BERLIN, '2026-11-29T12:00:00Z'), '2026-11-30T07:00:00.000Z');
  });

  it('can be at noon', () => {
    const noon = { ...BERLIN, from: '12:00', to: '13:30', whole_days: [] };
    assert.equal(until(noon, '2026-11-25T11:00:00Z'), '2026-11-25T12:30:00.000Z');
    assert.equal(until(noon, '2026-11-25T11:15:00Z'), '2026-11-25T12:30:00.000Z');
    assert.equal(until(noon, '2026-11-25T12:29:59Z'), '2026-11-25T12:30:00.000Z');
    assert.equal(until(noon, '2026-11-25T18:00:00Z'), undefined);
    assert.equal(until(noon, '2026-11-25T12:30:00Z'), undefined);
    assert.equal(until(noon, '2026-11-25T10:59:00Z'), undefined);
  });

  it('are none where they end as they begin', () => {
    const none = { ...BERLIN, to: '19:00', whole_days: [] };
    assert.equal(until(none, '2026-11-25T18:00:00Z'), undefined);
  });

  it('agree with a look at the clock, minute by minute', () => {
    const minutesIn = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    for (const [from, to] of [
      ['22:00', '06:30'],
      ['06:30', '22:00'],
      ['00:00', '08:00'],
      ['08:00', '00:00'],
      ['00:00', '23:59'],
      ['12:00', '12:01'],
    ] as const) {
      const hours = { time_zone: 'UTC', from, to, whole_days: [] };
      const [begins, ends] = [minutesIn(from), minutesIn(to)];
      for (let minute = 0; minute < 1_440; minute += 7) {
        const isQuiet =
          begins < ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
        const end = quietUntil(hours, Date.UTC(2026, 10, 25, 0, minute));
        const wanted = isQuiet ? Date.UTC(2026, 10, minute < ends ? 25 : 26, 0, ends) : undefined;
        assert.equal(end, wanted, `${from} to ${to}, minute ${minute}`);
      }
    }
  });

  it('never end if every day is quiet', () => {
    const all = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
    assert.equal(until({ ...BERLIN, whole_days: [...all] }, '2026-11-25T12:00:00Z'), null);
  });

  it('never end within themselves where clocks change', () => {
    // In the night before 2026-10-25 and 2026-03-29 clocks in Berlin are put back and forward.
    for (const now of ['2026-10-24T20:00:00Z', '2026-03-28T20:00:00Z']) {
      const nights = { ...BERLIN, whole_days: [] };
      const end = quietUntil(nights, Date.parse(now));
      assert.ok(typeof end === 'number');
      assert.equal(quietUntil(nights, end), undefined);
      assert.ok(Math.abs(end - Date.parse(now) - 11 * 3_600_000) <= 3_600_000);
    }
  });
});
