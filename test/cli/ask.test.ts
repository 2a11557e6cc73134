import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { EXIT } from '../../cli/failures.js';
import type { SuspensionView } from '../../client/index.js';
import { hanging } from '../api/support/fakes.js';
import { alreadyStarted, endedAs, openedIn, type Questions } from '../api/support/questions.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, withShell, type Run, type ShellRig } from './support.js';

const OPEN = questionWith();
const AT = '2026-11-20T10:05:00.000Z';
const PERSON = {
  settled_by: 'operator',
  settled_at: AT,
  responded_at: AT,
  responded_by: 'alice',
} as const;

function ended(record: Partial<SuspensionView['record']>): SuspensionView {
  return questionWith(record, { state: 'settled' });
}

const answered = (response: string | { readonly amount: number }) =>
  ended({ ...PERSON, resolution: 'responded', response });
const inText = (response: string) =>
  ended({ ...PERSON, resolution: 'responded', response_type: 'text', response });
const expired = (record: Partial<SuspensionView['record']> = {}) =>
  ended({ resolution: 'expired', settled_by: 'clock', settled_at: AT, ...record });

/** A question that is open at first, and ends as it is said while somebody waits. */
function settling(last: SuspensionView, first: SuspensionView = OPEN): Questions {
  return {
    getSuspension: () => Promise.resolve({ value: first, stale: false }),
    outcome: () => endedAs(last),
  };
}

/** The same as the answer to the question that `holdpoint ask Deploy?` asks. */
function asDeploy(view: SuspensionView): SuspensionView {
  const choices = [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ];
  return { ...view, record: { ...view.record, question: 'Deploy?', choices } };
}

function asAgent(shell: ShellRig, args: readonly string[], run: Run = {}) {
  return shell.run(['ask', 'Deploy?', ...args], { key: 'agent', ...run });
}

function asked({ rig }: ShellRig) {
  return openedIn(rig).record;
}

describe('holdpoint ask', () => {
  it('prints the answer alone, and says the rest beside it', () =>
    withShell(settling(answered('yes')), async (shell) => {
      const { code, out, err } = await asAgent(shell, ['--confirm']);
      assert.deepEqual([code, out], [EXIT.done, 'yes\n']);
      assert.match(
        err,
        /^Asked: Deploy\?\nWaiting\. A person answers with: npm run -s holdpoint -- answer [0-9a-f]{8} <value>\nAnswered by alice\.\n$/,
      );
    }));

  for (const [what, last, code, out] of [
    ['a no', answered('no'), EXIT.no, 'no\n'],
    ['a form', answered({ amount: 3 }), EXIT.unclear, '{"amount":3}\n'],
    ['a text', inText('please do not'), EXIT.unclear, 'please do not\n'],
    ['a text that is a no', inText('No'), EXIT.no, 'No\n'],
    [
      'a fallback that nobody could choose',
      expired({ fallback_policy: 'complete_with_fallback', fallback_value: 'maybe' }),
      EXIT.unclear,
      'maybe\n',
    ],
    ['nobody', expired(), EXIT.nobody, ''],
    [
      'a fallback',
      expired({ fallback_policy: 'complete_with_fallback', fallback_value: 'yes' }),
      EXIT.done,
      'yes\n',
    ],
    [
      'a fallback that denies',
      expired({ fallback_policy: 'complete_with_fallback', fallback_value: 'no' }),
      EXIT.no,
      'no\n',
    ],
    [
      'the deadline of a portfolio',
      expired({
        fallback_policy: 'complete_with_fallback',
        fallback_value: 'yes',
        reason: 'portfolio_deadline',
      }),
      EXIT.nobody,
      '',
    ],
    [
      'a withdrawal',
      ended({ resolution: 'cancelled', settled_by: 'admin', settled_at: AT, reason: 'wrong one' }),
      EXIT.withdrawn,
      '',
    ],
  ] as const) {
    it(`ends with ${code} after ${what}`, () =>
      withShell(settling(last), async (shell) => {
        const result = await asAgent(shell, []);
        assert.deepEqual([result.code, result.out], [code, out]);
        if (what.startsWith('a fallback')) assert.match(result.err, /Nobody answered/);
      }));
  }

  /** The question with the choices go and stop, and what the service keeps of which of them deny. */
  function chosen(response: string, record: Partial<SuspensionView['record']> = {}) {
    const choices = ['go', 'stop'].map((value) => ({ value, label: value }));
    const asked = { response_type: 'choice', choices, ...record } as const;
    return ended({ ...PERSON, resolution: 'responded', response, ...asked });
  }
  const GO_OR_STOP = ['--choice', 'go', '--choice', 'stop'];

  for (const [args, denials, response, code] of [
    [['--denial', 'stop'], ['stop'], 'stop', EXIT.no],
    [['--denial', 'stop'], ['stop'], 'go', EXIT.done],
    [['--any-answer'], [], 'stop', EXIT.done],
  ] as const) {
    it(`ends with ${code} after ${response} with ${args.join(' ')}, and declares it`, () =>
      withShell(settling(chosen(response, { denials: [...denials] })), async (shell) => {
        const { code: ended, out } = await asAgent(shell, [...GO_OR_STOP, ...args]);
        assert.deepEqual([ended, out], [code, `${response}\n`]);
        assert.deepEqual(asked(shell).denials, denials);
      }));
  }

  it('does not go on with a usual no that --denial leaves out', () =>
    withShell(
      settling(
        ended({
          ...PERSON,
          resolution: 'responded',
          response: 'reject',
          response_type: 'choice',
          choices: ['ship', 'hold', 'reject'].map((value) => ({ value, label: value })),
          denials: ['hold'],
        }),
      ),
      async (shell) => {
        const words = ['ship', 'hold', 'reject'].flatMap((value) => ['--choice', value]);
        const { code, out } = await asAgent(shell, [...words, '--denial', 'hold']);
        assert.deepEqual([code, out], [EXIT.unclear, 'reject\n']);
      },
    ));

  for (const [response, code] of [
    ['Rejected', EXIT.no],
    ['approve', EXIT.unclear],
    ['hold', EXIT.unclear],
  ] as const) {
    it(`goes by a usual word alone: ends with ${code} after ${response}, and declares nothing`, () =>
      withShell(settling(chosen(response)), async (shell) => {
        const words = ['approve', 'hold', 'Rejected'].flatMap((value) => ['--choice', value]);
        const { code: ended, out, err } = await asAgent(shell, words);
        assert.deepEqual([ended, out], [code, `${response}\n`]);
        assert.equal('denials' in asked(shell), false);
        assert.match(err, /^Without --denial or --any-answer this ends with 1 .* and with 9 /m);
        assert.equal(/^Nothing says whether this is a go: /m.test(err), code === EXIT.unclear);
      }));
  }

  it('takes any text for a go where it is told so', () =>
    withShell(settling(inText('no')), async (shell) => {
      const { code, err } = await asAgent(shell, ['--text', '--any-answer']);
      assert.equal(code, EXIT.done);
      assert.equal(err.includes('Without --denial'), false);
    }));

  for (const [args, says] of [
    [GO_OR_STOP, /^None of the choices says no: name each that does with --denial/],
    [['--choice', 'approve', '--choice', 'nope'], /^None of the choices says no/],
    [[...GO_OR_STOP, '--denial', 'stop', '--any-answer'], /not both/],
  ] as const) {
    it(`asks nothing with ${args.join(' ')}`, () =>
      withShell({}, async (shell) => {
        const { code, out, err } = await asAgent(shell, args);
        assert.deepEqual([code, out], [EXIT.usage, '']);
        assert.match(err, says);
        assert.deepEqual(shell.rig.sent, []);
      }));
  }

  it('prints the outcome as JSON', () =>
    withShell(settling(answered('yes')), async (shell) => {
      const { out } = await asAgent(shell, ['--json']);
      assert.deepEqual(JSON.parse(out), {
        id: SUSPENSION_ID,
        outcome: 'answered',
        value: 'yes',
        is_denial: false,
        by: 'alice',
        at: AT,
        comment: null,
      });
    }));

  it('prints the comment that came with the answer', () => {
    const { record, ...view } = answered('yes');
    const noted = { ...view, record: { ...record, comment: 'after\nthe audit' } };
    return withShell(settling(noted), async (shell) => {
      const { out } = await asAgent(shell, ['--json']);
      assert.equal(JSON.parse(out).comment, 'after\nthe audit');
      const { out: answer, err } = await asAgent(shell, []);
      assert.equal(answer, 'yes\n');
      assert.match(err, /^Comment: after\n {2}the audit$/m);
    });
  });

  it('sends what it was told to ask', () =>
    withShell(settling(answered('go')), async (shell) => {
      const more = [
        '--timeout',
        '1h30m',
        '--attempts',
        '3',
        '--fallback',
        'stop',
        '--channel',
        'ops',
      ];
      const who = ['--group', 'release', '--quorum', '2', '--on-behalf-of', 'ursula'];
      const what = ['--choice', 'go=Go ahead', '--choice', 'stop', '--context', '{"build": 7}'];
      what.push('--denial', 'stop');
      await asAgent(shell, [...what, ...more, ...who, '--request-key', 'deploy-7']);
      const { id, suspended_at: _now, expires_at: _then, ...wanted } = asked(shell);
      assert.deepEqual(wanted, {
        question: 'Deploy?',
        response_type: 'choice',
        choices: [
          { value: 'go', label: 'Go ahead' },
          { value: 'stop', label: 'stop' },
        ],
        denials: ['stop'],
        context: { build: 7 },
        timeout_seconds: 5_400,
        retry_policy: {
          max_attempts: 3,
          strategy: 'fixed',
          escalation_ladder: [],
          final_fallback_policy: 'complete_with_fallback',
        },
        fallback_policy: 'complete_with_fallback',
        fallback_value: 'stop',
        channel_hint: 'ops',
        decision_rule: {
          eligible: { groups: ['release'] },
          quorum: 2,
          denials: ['stop'],
          excluded: [],
          veto: true,
        },
        on_behalf_of: 'ursula',
      });
      await asAgent(shell, ['--request-key', 'deploy-7', '--no-wait']);
      const started = shell.rig.sent.filter(({ name }) => name === 'suspension');
      const workflowId = workflowIdOf('suspension', id);
      assert.deepEqual(
        started.map((one) => one.workflowId),
        [workflowId, workflowId],
      );
    }));

  for (const [args, fallback] of [
    [['--confirm', '--fallback', 'N'], 'no'],
    [['--text', '--fallback', 'whatever'], 'whatever'],
    [['--text', '--fallback', ''], ''],
    [['--form', '{"type":"object"}', '--fallback', '{"amount":3}'], { amount: 3 }],
  ] as const) {
    it(`sends ${JSON.stringify(fallback)} as the fallback with ${args[0]}`, () =>
      withShell(settling(expired()), async (shell) => {
        await asAgent(shell, args);
        assert.deepEqual(asked(shell).fallback_value, fallback);
      }));
  }

  it('asks with a fallback that nobody could choose, and says what the service says of it', () =>
    withShell(settling(answered('yes')), async (shell) => {
      const { code, err } = await asAgent(shell, ['--confirm', '--fallback', 'maybe']);
      assert.equal(code, EXIT.done);
      assert.equal(asked(shell).fallback_value, 'maybe');
      assert.match(err, /^.*No person could answer with the fallback value "maybe"\.$/m);
    }));

  it('finds the answer that was given while nobody waited', () =>
    withShell(
      { ...settling(OPEN, asDeploy(answered('yes'))), started: alreadyStarted },
      async (shell) => {
        const { code, out, err } = await asAgent(shell, ['--request-key', 'deploy-7']);
        assert.deepEqual([code, out, err], [EXIT.done, 'yes\n', 'Answered by alice.\n']);
        // The question is read once, by what opens it.
        assert.equal(shell.rig.sent.filter(({ name }) => name === 'record').length, 1);
      },
    ));

  it('only asks with --no-wait', () =>
    withShell(settling(OPEN), async (shell) => {
      const plain = await asAgent(shell, ['--no-wait']);
      assert.deepEqual([plain.code, plain.out], [EXIT.done, `${asked(shell).id}\n`]);
      const json = await asAgent(shell, ['--no-wait', '--json']);
      assert.equal(JSON.parse(json.out).state, 'pending');
    }));

  for (const [args, says, withdraws] of [
    [[], /is withdrawn/, true],
    [['--keep-open', '--request-key', 'k'], /stays open, and the same command waits/, false],
  ] as const) {
    it(`after Ctrl-C ${withdraws ? 'withdraws the question' : 'leaves it open'}`, () => {
      const ctrlC = new AbortController();
      const waits: Questions = {
        ...settling(OPEN),
        outcome(call) {
          ctrlC.abort(new Error('interrupted'));
          return hanging(call);
        },
      };
      return withShell(waits, async (shell) => {
        const { code, out, err } = await asAgent(shell, args, { interrupted: ctrlC.signal });
        assert.deepEqual([code, out], [EXIT.interrupted, '']);
        assert.match(err, says);
        const calls = shell.rig.calls.map(({ method }) => method);
        assert.equal(calls.includes('cancel'), withdraws);
      });
    });
  }

  it('tells of another attempt', () => {
    let asks = 0;
    const views = [{ ...OPEN, attempt: 2, max_attempts: 3 }, answered('yes')];
    return withShell(
      {
        ...settling(OPEN, { ...OPEN, max_attempts: 3 }),
        getSuspension: () =>
          Promise.resolve({ value: views[Math.min(asks++, 1)] as SuspensionView, stale: false }),
      },
      async (shell) => assert.match((await asAgent(shell, [])).err, /^Attempt 2 of 3\.$/m),
    );
  });

  for (const args of [
    ['--confirm', '--text'],
    ['--timeout', 'soon'],
    ['--timeout', '0'],
    ['--context', '{'],
    ['--context', '"text"'],
    ['--form', '@/nowhere/at-all'],
    ['--quorum', '-1'],
    ['one question', 'and another'],
  ]) {
    it(`does not understand ${args.join(' ')}`, () =>
      withShell({}, async (shell) => {
        const { code, out, err } = await asAgent(shell, args);
        assert.deepEqual([code, out], [EXIT.usage, '']);
        assert.equal(err.trim().split('\n').length, 1);
        assert.deepEqual(shell.rig.sent, []);
      }));
  }
});
