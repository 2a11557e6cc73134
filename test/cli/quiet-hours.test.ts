import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import type { QuietHours } from '../../client/index.js';
import { withShell, type ShellRig } from './support.js';

const NIGHTS: QuietHours = {
  time_zone: 'Europe/Berlin',
  from: '19:00',
  to: '08:00',
  whole_days: ['sat', 'sun'],
};
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An API whose caller has these quiet hours; returns what it was asked to set. */
async function withHours(
  hours: QuietHours | undefined,
  run: (shell: ShellRig, set: readonly (QuietHours | null)[]) => Promise<void>,
): Promise<void> {
  const set: (QuietHours | null)[] = [];
  const store = {
    quietHoursOf: async () => hours,
    setQuietHours: async (_person: object, next: QuietHours | null) => {
      set.push(next);
    },
  };
  await withShell({}, async (shell) => run(shell, set), {}, { store });
}

describe('holdpoint quiet-hours', () => {
  const SHOWN: readonly (readonly [QuietHours | undefined, string])[] = [
    [undefined, 'No quiet hours.'],
    [NIGHTS, 'Quiet from 19:00 to 08:00, and all day on sat, sun (Europe/Berlin).'],
    [{ ...NIGHTS, whole_days: [] }, 'Quiet from 19:00 to 08:00 (Europe/Berlin).'],
    [{ ...NIGHTS, to: '19:00' }, 'Quiet all day on sat, sun (Europe/Berlin).'],
    [{ ...NIGHTS, to: '19:00', whole_days: [] }, 'Quiet at no time (Europe/Berlin).'],
  ];
  for (const [hours, says] of SHOWN) {
    it(`shows what is set: ${says}`, () =>
      withHours(hours, async (shell, set) => {
        const { code, out } = await shell.run(['quiet-hours']);
        assert.deepEqual([code, out], [EXIT.done, `${says}\n`]);
        const json = await shell.run(['quiet-hours', '--json']);
        assert.deepEqual(JSON.parse(json.out), { quiet_hours: hours ?? null });
        assert.deepEqual(set, []);
      }));
  }

  it('sets times and whole days in a time zone, in place of what was', () =>
    withHours({ ...NIGHTS, whole_days: ['mon'] }, async (shell, set) => {
      const days = ['--whole-day', 'sat', '--whole-day', 'SUN', '--whole-day', 'sat'];
      const zone = ['--time-zone', 'Europe/Berlin'];
      const { code, out } = await shell.run(['quiet-hours', '19:00', '08:00', ...days, ...zone]);
      assert.equal(code, EXIT.done);
      assert.match(out, /^Quiet from 19:00 to 08:00, and all day on sat, sun/);
      assert.deepEqual(set, [NIGHTS]);
    }));

  it('takes the time zone of this machine, and days alone', () =>
    withHours(undefined, async (shell, set) => {
      await shell.run(['quiet-hours', '22:00', '06:30', '--json']);
      await shell.run(['quiet-hours', '--whole-day', 'sun']);
      assert.deepEqual(set, [
        { time_zone: HERE, from: '22:00', to: '06:30', whole_days: [] },
        { time_zone: HERE, from: '00:00', to: '00:00', whole_days: ['sun'] },
      ]);
    }));

  it('ends them', () =>
    withHours(NIGHTS, async (shell, set) => {
      const { code, out } = await shell.run(['quiet-hours', '--end']);
      assert.deepEqual([code, out, set], [EXIT.done, 'No quiet hours.\n', [null]]);
    }));

  for (const [args, says] of [
    [['19:00'], /such as 19:00 08:00/],
    [['--time-zone', 'UTC'], /A time zone alone is not quiet/],
    [['19:00', '08:00', '--end'], /not both/],
    [['--whole-day', 'sut'], /"sut" is no day: write sun, mon, .*\. Did you mean (sun|sat)\?/],
    [['--whole-day', 'whenever'], /write sun, mon, tue, wed, thu, fri, sat\.$/m],
  ] as const) {
    it(`does not understand ${args.join(' ')}`, () =>
      withHours(NIGHTS, async (shell, set) => {
        const { code, err } = await shell.run(['quiet-hours', ...args]);
        assert.deepEqual([code, err.trim().split('\n').length], [EXIT.usage, 1]);
        assert.match(err, says);
        assert.deepEqual(set, []);
      }));
  }

  it('says what is accepted instead of 7:00', () =>
    withHours(NIGHTS, async (shell, set) => {
      const { code, err } = await shell.run(['quiet-hours', '7:00', '08:00']);
      assert.equal(code, EXIT.refused, err);
      assert.match(err, /^from is not accepted: it must be a time from 00:00 to 23:59/);
      assert.deepEqual(set, []);
    }));
});
