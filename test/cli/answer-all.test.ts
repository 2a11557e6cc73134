import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BulkOutcome } from '../../api/usecases/suspension/respond-to-many.js';
import { answersSent, inboxPage, outcomesOf } from '../api/support/questions.js';
import { EXIT } from '../../cli/failures.js';
import type { SuspensionView } from '../../client/index.js';
import type { InboxQuery } from '../../store/queries/inbox.js';
import { askedOf } from '../api/support/harness.js';
import { partWith } from '../domain/approval/wires.js';
import { ANSWERED, SUSPENSION_ID, VIEW } from '../api/support/records.js';
import { questionWith, withShell, type ShellRig } from './support.js';

const OTHER_ID = '7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f';
const BOTH = [questionWith(), questionWith({}, { id: OTHER_ID })];
const IDS = [SUSPENSION_ID, OTHER_ID];
const settled = (suspension_id: string) =>
  ({ suspension_id, outcome: 'settled', result: ANSWERED }) as const;

/** An API with these questions, which says so of the answers to them. */
function on(
  views: readonly SuspensionView[],
  outcomes: readonly BulkOutcome[],
  run: (shell: ShellRig) => Promise<void>,
): Promise<void> {
  const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
  return withShell(
    {
      getSuspension: (id) => fresh(views.find((view) => view.id === id) ?? VIEW),
      listSuspensions: () => inboxPage(views),
      respond: outcomesOf(outcomes),
    },
    run,
  );
}

/** The answer that all of the questions got. */
function sent({ rig }: ShellRig) {
  const all = answersSent(rig).map(({ request }) => request);
  const [first, ...others] = all.map(
    ({ suspension_id: _id, question_version: _at, proposal_hash: _hash, ...rest }) => rest,
  );
  for (const other of others) assert.deepEqual(other, first);
  const answers = all.map(({ suspension_id, question_version, proposal_hash }) => ({
    suspension_id,
    question_version,
    ...(proposal_hash !== undefined && { proposal_hash }),
  }));
  return first && { answers, ...first };
}

describe('holdpoint answer-all', () => {
  it('shows all questions, asks once, and says what became of each', () =>
    on(BOTH, IDS.map(settled), async (shell) => {
      const answer = ['answer-all', 'y', ...IDS, '--comment', 'as agreed', '--despite-claim'];
      const no = await shell.run(answer, { typed: ['n'] });
      assert.deepEqual([no.code, no.out, sent(shell)], [EXIT.no, '', undefined]);
      assert.match(no.err, /Approve\?[^]*Approve\?[^]*Answer yes to 2 questions\? \[y\/N\]/);
      const { code, out } = await shell.run(answer, { typed: ['y'] });
      assert.equal(code, EXIT.done);
      assert.equal(out, 'Answered: 0b7a9c1e Approve?\nAnswered: 7c1d2e3f Approve?\n');
      assert.deepEqual(sent(shell), {
        answers: IDS.map((suspension_id) => ({ suspension_id, question_version: 1 })),
        value: 'yes',
        comment: 'as agreed',
        metadata: { via: 'cli' },
        despite_claim: true,
      });
    }));

  it('takes all that wait for who asks, once each', () =>
    on(BOTH, IDS.map(settled), async (shell) => {
      const bound = ['--asked-before', '2030-01-01T00:00:00Z'];
      const all = ['answer-all', 'yes', '--all', ...bound];
      const { code, out } = await shell.run([...all, '--yes', '--json']);
      assert.equal(code, EXIT.done);
      assert.deepEqual(
        (JSON.parse(out) as { results: { outcome: string }[] }).results.map((one) => one.outcome),
        ['settled', 'settled'],
      );
      const [query] = askedOf(shell.rig, 'listSuspensions') ?? [];
      assert.equal((query as InboxQuery).view?.kind, 'for_me');
      shell.rig.sent.splice(0);
      await shell.run(['answer-all', 'yes', SUSPENSION_ID, SUSPENSION_ID, '--yes']);
      assert.equal((sent(shell) as { answers: unknown[] }).answers.length, 1);
    }));

  it('answers of all unread only what was asked before an instant', () => {
    const early = questionWith({ suspended_at: '2026-01-01T00:00:00.000Z' });
    const late = questionWith({ suspended_at: '2026-01-02T00:00:00.000Z' }, { id: OTHER_ID });
    return on([early, late], [settled(SUSPENSION_ID)], async (shell) => {
      const all = ['answer-all', 'yes', '--all', '--yes'];
      const unread = await shell.run(all);
      assert.equal(unread.code, EXIT.usage);
      assert.match(unread.err, /--asked-before/);
      for (const [given, code] of [
        ['yesterday', EXIT.usage],
        ['2026-01-02', EXIT.usage],
        ['2026-01-01T00:00:00Z', EXIT.done],
      ] as const) {
        assert.equal((await shell.run([...all, '--asked-before', given])).code, code, given);
        assert.equal(sent(shell), undefined, given);
      }
      const until = [SUSPENSION_ID, '--yes', '--asked-before', '2026-01-02T00:00:00Z'];
      assert.equal((await shell.run(['answer-all', 'yes', ...until])).code, EXIT.usage);
      const bound = await shell.run([...all, '--asked-before', '2026-01-02T01:00:00+01:00']);
      assert.equal(bound.code, EXIT.done);
      const { answers } = sent(shell) as { answers: { suspension_id: string }[] };
      assert.deepEqual(
        answers.map(({ suspension_id }) => suspension_id),
        [SUSPENSION_ID],
      );
    });
  });

  it('says so where nothing waits', () =>
    on([], [], async (shell) => {
      const { code, err } = await shell.run(['answer-all', 'yes', '--all']);
      assert.deepEqual([code, err], [EXIT.done, 'Nothing waits for you.\n']);
      assert.equal(sent(shell), undefined);
    }));

  const problem = { code: 'claimed_by_other', detail: 'bob has it.' } as const;
  const [first = '', second = ''] = IDS;
  const refusedAs = (suspension_id: string, code: 'internal' | 'not_eligible') =>
    ({ suspension_id, outcome: 'refused', refusal: { code, detail: 'No.' } }) as const;
  const refusal = { suspension_id: second, outcome: 'refused', refusal: problem } as const;
  const kept = { suspension_id: first, outcome: 'handed_over' } as const;
  const nameOf = (one: BulkOutcome) => (one.outcome === 'refused' ? one.refusal.code : one.outcome);
  for (const [outcomes, code, line] of [
    [[settled(first), refusal], EXIT.refused, /^Refused: 7c1d2e3f .*claimed_by_other: bob has it/m],
    [[kept, refusal], EXIT.refused, /^Kept, no worker has taken it yet: 0b7a9c1e/m],
    [[kept, refusedAs(second, 'not_eligible')], EXIT.notAllowed, /not_eligible: No/],
    [[kept, refusedAs(second, 'internal')], EXIT.unavailable, /internal: No/],
    [[refusedAs(first, 'internal'), refusal], EXIT.refused, /internal: No/],
    [[refusedAs(first, 'not_eligible'), refusal], EXIT.notAllowed, /not_eligible: No/],
    [[kept, settled(second)], EXIT.handedOver, /^Answered: 7c1d2e3f/m],
    [[{ ...settled(first), outcome: 'counted' }], EXIT.done, /^Counted, others have to agree: /m],
  ] as const) {
    it(`ends with ${code} where they are ${outcomes.map(nameOf).join(', ')}`, () =>
      on(BOTH, [...outcomes], async (shell) => {
        const ended = await shell.run(['answer-all', 'yes', ...IDS, '--yes']);
        assert.equal(ended.code, code);
        assert.match(ended.out, line);
      }));
  }

  it('answers approvals at a terminal only, by the hash that was shown', () => {
    const part = partWith();
    const approval = questionWith({ response_type: 'choice', approval: part });
    return on([approval], [settled(SUSPENSION_ID)], async (shell) => {
      const answer = ['answer-all', 'approved', SUSPENSION_ID];
      const script = await shell.run([...answer, '--yes']);
      assert.equal(script.code, EXIT.usage);
      assert.match(script.err, /answer 0b7a9c1e by itself/);
      assert.equal(sent(shell), undefined);
      const person = await shell.run(answer, { typed: ['y'] });
      assert.equal(person.code, EXIT.done);
      assert.match(person.err, new RegExp(part.proposal_hash));
      const [one] = (sent(shell) as { answers: { proposal_hash?: string }[] }).answers;
      assert.equal(one?.proposal_hash, part.proposal_hash);
    });
  });

  it('sends nothing that a script has not seen, or that is not understood', () =>
    on([questionWith({}, { question_version: 2 })], [], async (shell) => {
      for (const args of [
        ['yes', SUSPENSION_ID, '--yes'],
        ['yes', SUSPENSION_ID],
        ['yes'],
        ['yes', SUSPENSION_ID, '--all', '--yes'],
        [],
      ]) {
        const { code, out } = await shell.run(['answer-all', ...args]);
        assert.deepEqual([code, out], [EXIT.usage, ''], args.join(' '));
        assert.equal(sent(shell), undefined);
      }
    }));
});

describe('holdpoint amend', () => {
  const AMENDED = questionWith({ question: 'In part?' }, { question_version: 3 });
  const CHANGES = ['--question', 'In part?', '--choice', 'half=Half', '--choice', 'none'];
  const amended = ({ rig }: ShellRig) =>
    rig.calls.find(({ method }) => method === 'amendSuspension')?.args[2];
  const CHOICES = [{ value: 'all', label: 'All' }];
  const amending = (
    run: (shell: ShellRig) => Promise<void>,
    record: Parameters<typeof questionWith>[0] = { response_type: 'choice', choices: CHOICES },
  ) =>
    withShell(
      {
        getSuspension: () =>
          Promise.resolve({ value: questionWith(record, { question_version: 2 }), stale: false }),
        amendSuspension: () => Promise.resolve(AMENDED),
      },
      run,
    );

  it('corrects the version that it has read', () =>
    amending(async (shell) => {
      const more = ['--context', '{"order": 7}', '--reason', 'a typo'];
      const args = ['amend', SUSPENSION_ID, ...CHANGES, ...more];
      const ended = await shell.run(args, { key: 'agent' });
      const out = 'Amended, version 3: 0b7a9c1e In part?\n';
      assert.deepEqual(ended, { code: EXIT.done, out, err: '' });
      assert.deepEqual(amended(shell), {
        question: 'In part?',
        choices: [
          { value: 'half', label: 'Half' },
          { value: 'none', label: 'none' },
        ],
        context: { order: 7 },
        question_version: 2,
        reason: 'a typo',
      });
    }));

  it('corrects the version that it names', () =>
    amending(
      async (shell) => {
        const schema = ['--response-schema', '@-', '--version-of-question', '1', '--json'];
        const named = await shell.run(['amend', SUSPENSION_ID, ...schema], {
          key: 'agent',
          input: '{"type": "object"}',
        });
        assert.deepEqual(JSON.parse(named.out), AMENDED);
        assert.deepEqual(amended(shell), {
          response_schema: { type: 'object' },
          question_version: 1,
        });
      },
      { response_type: 'form' },
    ));

  it('keeps of a choice what it does not change', () => {
    const choices = [
      { value: 'del', label: 'Delete', description: 'all', style: 'danger', metadata: { n: 1 } },
      { value: 'keep', label: 'Keep', style: 'primary' },
    ] as const;
    const view = questionWith({ response_type: 'choice', choices: [...choices] });
    return withShell(
      {
        getSuspension: () => Promise.resolve({ value: view, stale: false }),
        amendSuspension: () => Promise.resolve(AMENDED),
      },
      async (shell) => {
        const args = ['--choice', 'del=Remove', '--choice', 'keep', '--choice', 'wait=Wait'];
        await shell.run(['amend', SUSPENSION_ID, ...args], { key: 'agent' });
        assert.deepEqual((amended(shell) as { choices: unknown }).choices, [
          { ...choices[0], label: 'Remove' },
          choices[1],
          { value: 'wait', label: 'Wait' },
        ]);
      },
    );
  });

  it('sends nothing where nothing changes, or what is no JSON', () =>
    amending(async (shell) => {
      for (const args of [[], ['--context', '{'], ['--reason', 'why'], ['--context', '[]']]) {
        const { code } = await shell.run(['amend', SUSPENSION_ID, ...args], { key: 'agent' });
        assert.equal(code, EXIT.usage, args.join(' '));
      }
      assert.equal(amended(shell), undefined);
    }));
});
