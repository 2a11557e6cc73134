import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../api/errors.js';
import { EXIT } from '../../cli/failures.js';
import { localTime } from '../../cli/text.js';
import { ManualClock } from '../api/support/fakes.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell } from './support.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const CLAIM = {
  holder: 'bob',
  claimed_at: '2026-11-20T09:50:00.000Z',
  expires_at: '2026-11-20T10:20:00.000Z',
};
const CLAIMED = questionWith(
  {},
  {
    claim: CLAIM,
    comment_count: 1,
    comments: [{ principal: 'carol', actor: 'carol', text: 'Looks fine.', at: CLAIM.claimed_at }],
    delegations: [
      { by: 'alice', to: 'bob', reason: 'on leave', at: CLAIM.claimed_at, in_force: true },
    ],
  },
);

describe('holdpoint claim, release, delegate and comment', () => {
  for (const [args, method, sent, says] of [
    [['claim'], 'claimSuspension', [{}], 'Claimed by bob, for 20m: 0b7a9c1e Approve?'],
    [['release'], 'releaseSuspension', [{}], 'Released: 0b7a9c1e Approve?'],
    [
      ['release', '--what', 'claim'],
      'releaseSuspension',
      [{ what: 'claim' }],
      'Released: 0b7a9c1e Approve?',
    ],
    [
      ['delegate', 'bob', '--reason', 'on leave'],
      'delegateSuspension',
      [{ to: 'bob', reason: 'on leave' }],
      'Passed on to bob: 0b7a9c1e Approve?',
    ],
    [
      ['delegate', '--group', 'finance', '--reason', 'on leave'],
      'delegateSuspension',
      [{ to_group: 'finance', reason: 'on leave' }],
      'Passed on to the group finance: 0b7a9c1e Approve?',
    ],
    [
      ['comment', 'Looks fine.'],
      'commentOnSuspension',
      [{ text: 'Looks fine.' }],
      'Commented: 0b7a9c1e Approve?',
    ],
  ] as const) {
    it(`do it, and say so: ${args.join(' ')}`, () =>
      withShell(
        { ...showing(CLAIMED), [method]: () => Promise.resolve(CLAIMED) },
        async (shell) => {
          const [verb, ...rest] = args;
          const short = SUSPENSION_ID.slice(0, 8);
          const { code, out, err } = await shell.run([verb, short, ...rest], { now: NOW });
          assert.deepEqual([code, out, err], [EXIT.done, `${says}\n`, '']);
          const call = shell.rig.calls.find((one) => one.method === method);
          assert.deepEqual(call?.args.slice(1), [SUSPENSION_ID, ...sent]);
          const json = await shell.run([verb, SUSPENSION_ID, ...rest, '--json']);
          assert.deepEqual(JSON.parse(json.out), CLAIMED);
        },
        {},
        { clock: new ManualClock(NOW) },
      ));
  }

  for (const [detail, says] of [
    [{ released_by: 'bob', holder: 'bob' }, 'Released the claim of bob'],
    [{ released_by: 'alice', holder: 'bob', taken_back: true }, 'Taken back from bob'],
  ] as const) {
    it(`says what a release has ended: ${says}`, () => {
      const entry = { sequence: 4, at: CLAIM.claimed_at, kind: 'released', detail } as const;
      const ended = { ...CLAIMED, timeline: [...CLAIMED.timeline, entry] };
      return withShell(
        { ...showing(CLAIMED), releaseSuspension: () => Promise.resolve(ended) },
        async (shell) => {
          const { out } = await shell.run(['release', SUSPENSION_ID]);
          assert.equal(out, `${says}: 0b7a9c1e Approve?\n`);
        },
      );
    });
  }

  it('says who has a claimed question, and until when', () =>
    withShell(
      {
        ...showing(CLAIMED),
        claimSuspension: () =>
          Promise.reject(
            new RefusalError({
              code: 'claimed_by_other',
              detail: 'It is claimed.',
              state: { holder: 'bob', expires_at: CLAIM.expires_at },
            }),
          ),
      },
      async (shell) => {
        const ended = await shell.run(['claim', SUSPENSION_ID]);
        assert.deepEqual(ended, {
          code: EXIT.refused,
          out: '',
          err: `bob has claimed the question until ${localTime(CLAIM.expires_at)}. (claimed_by_other)\n`,
        });
      },
    ));

  for (const args of [
    ['delegate', SUSPENSION_ID, 'bob'],
    ['delegate', SUSPENSION_ID],
    ['delegate', SUSPENSION_ID, '--reason', 'on leave'],
    ['delegate', SUSPENSION_ID, 'bob', '--group', 'finance', '--reason', 'on leave'],
    ['comment', SUSPENSION_ID],
  ]) {
    it(`do not understand ${args.join(' ')}`, () =>
      withShell({}, async (shell) => {
        const { code, err } = await shell.run(args);
        assert.equal(code, EXIT.usage);
        assert.equal(err.trim().split('\n').length, 1);
        assert.deepEqual(shell.rig.calls, []);
      }));
  }
});

describe('holdpoint snooze', () => {
  const stored = () => {
    const asked: (readonly [string, ...unknown[]])[] = [];
    const note = (name: string) => (_owner: object, what: object | string) => {
      asked.push([name, typeof what === 'string' ? what : (what as { until: string }).until]);
    };
    const store = {
      putSnooze: async (owner: object, snooze: object) => {
        note('put')(owner, snooze);
        return true;
      },
      deleteSnooze: async (owner: object, id: string) => {
        note('end')(owner, id);
      },
    };
    return { asked, store };
  };

  for (const [until, at] of [
    ['90m', '2026-11-20T11:30:00.000Z'],
    ['2026-11-20T12:00:00+01:00', '2026-11-20T11:00:00.000Z'],
    ['reminder', '2026-11-20T10:40:00.000Z'],
  ] as const) {
    it(`puts a question off: ${until}`, () => {
      const { asked, store } = stored();
      const question = questionWith({}, { next_attempt_at: '2026-11-20T10:40:00.000Z' });
      return withShell(
        showing(question),
        async (shell) => {
          const id = SUSPENSION_ID.slice(0, 8);
          const { code, out, err } = await shell.run(['snooze', id, until], { now: NOW });
          const line = `Snoozed until ${localTime(at)}: ${id}\n`;
          assert.deepEqual([code, out, err], [EXIT.done, line, '']);
          assert.deepEqual(asked, [['put', at]]);
          const json = await shell.run(['snooze', SUSPENSION_ID, until, '--json'], { now: NOW });
          assert.equal((JSON.parse(json.out) as { until: string }).until, at);
        },
        {},
        { clock: new ManualClock(NOW), store },
      );
    });
  }

  it('shows it again', () => {
    const { asked, store } = stored();
    return withShell(
      showing(questionWith({})),
      async (shell) => {
        const { code, out } = await shell.run(['snooze', SUSPENSION_ID, '--end']);
        const line = `In your lists again: ${SUSPENSION_ID.slice(0, 8)}\n`;
        assert.deepEqual([code, out], [EXIT.done, line]);
        assert.deepEqual(asked, [['end', SUSPENSION_ID]]);
      },
      {},
      { store },
    );
  });

  for (const args of [[], ['2h', '--end'], ['tomorrow'], ['2026-11-20T12:00']]) {
    it(`does not understand ${args.join(' ') || 'no time'}`, () =>
      withShell({}, async (shell) => {
        const { code, err } = await shell.run(['snooze', SUSPENSION_ID, ...args]);
        assert.deepEqual([code, err.trim().split('\n').length], [EXIT.usage, 1]);
        assert.deepEqual(shell.rig.calls, []);
      }));
  }
});

describe('a question that somebody else has claimed', () => {
  const sentIn = (call: { readonly args: readonly unknown[] } | undefined) =>
    (call?.args[2] as { despite_claim?: boolean } | undefined)?.despite_claim;

  /** An API that knows the question, while the claim holds. */
  const withClaimed = (run: Parameters<typeof withShell>[1]) =>
    withShell(showing(CLAIMED), run, {}, { clock: new ManualClock(NOW) });

  it('is shown with its holder, who passed it on, and the comments', () =>
    withClaimed(async (shell) => {
      const { out } = await shell.run(['show', SUSPENSION_ID], { now: NOW });
      for (const line of [
        'Claimed by bob, for 20m',
        'Passed on by alice to bob: on leave',
        '  carol: Looks fine.',
      ]) {
        assert.ok(out.split('\n').includes(line), out);
      }
      const listed = await shell.run(['inbox'], { now: NOW });
      assert.ok(listed.out.split('\t').includes('bob'));
    }));

  it('is answered after a person has confirmed it', () =>
    withClaimed(async (shell) => {
      const no = await shell.run(['answer', SUSPENSION_ID, 'yes'], { now: NOW, typed: ['n'] });
      assert.equal(no.code, EXIT.no);
      assert.match(no.err, /It is claimed by bob, for 20m\. Answer all the same\? \[y\/N\]/);
      const answers = () => shell.rig.calls.filter(({ method }) => method === 'respond');
      assert.deepEqual(answers(), []);
      await shell.run(['answer', SUSPENSION_ID, 'yes'], { now: NOW, typed: ['y'] });
      assert.equal(sentIn(answers()[0]), true);
    }));

  it('is answered by a script that says so', () =>
    withClaimed(async (shell) => {
      const answers = () => shell.rig.calls.filter(({ method }) => method === 'respond');
      await shell.run(['answer', SUSPENSION_ID, 'yes']);
      await shell.run(['answer', SUSPENSION_ID, 'yes', '--despite-claim']);
      assert.deepEqual(answers().map(sentIn), [undefined, true]);
    }));
});
