import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import type { SuspensionView } from '../../client/index.js';
import type { RespondRequest } from '../../contracts/suspension/requests.js';
import { partWith } from '../domain/approval/wires.js';
import { ANSWERED, SUSPENSION_ID, VIEW } from '../api/support/records.js';
import { questionWith, showing, withShell, type ShellRig } from './support.js';

const CONFIRM = questionWith();
const PART = partWith();
const HASH = PART.proposal_hash;
const APPROVAL = questionWith({ response_type: 'choice', approval: PART });
const CHOICE = questionWith({
  response_type: 'choice',
  choices: [
    { value: 'keep', label: 'Keep it' },
    { value: 'drop', label: 'Drop it', style: 'danger' },
  ],
});
const TEXT = questionWith({ response_type: 'text' });
const FORM = questionWith({ response_type: 'form', response_schema: { type: 'object' } });

/** What reached the question as the answer. */
function sent({ rig }: ShellRig): RespondRequest | undefined {
  const call = rig.calls.find(({ method }) => method === 'respond');
  return call?.args[2] as RespondRequest | undefined;
}

function on(view: SuspensionView, run: (shell: ShellRig) => Promise<void>): Promise<void> {
  return withShell(showing(view), run);
}

describe('holdpoint answer', () => {
  it('sends the value for the version that was read, and says that it came from here', () =>
    on({ ...CHOICE, question_version: 3 }, async (shell) => {
      const seen = ['--version-of-question', '3', '--comment', 'cheaper'];
      const ended = await shell.run(['answer', SUSPENSION_ID, 'keep', ...seen]);
      assert.deepEqual(ended, { code: EXIT.done, out: 'Answered: Yes.\n', err: '' });
      assert.deepEqual(sent(shell), {
        suspension_id: SUSPENSION_ID,
        value: 'keep',
        question_version: 3,
        comment: 'cheaper',
        metadata: { via: 'cli' },
      });
    }));

  for (const blank of ['', '  \t', '\u200b', '\u2800\u00a0']) {
    it(`does not send the blank text ${JSON.stringify(blank)}`, () =>
      on(TEXT, async (shell) => {
        for (const args of [
          ['answer', SUSPENSION_ID, blank],
          ['answer', SUSPENSION_ID, '--value-file', '-'],
          ['answer-all', blank, SUSPENSION_ID, '--yes'],
        ]) {
          const { code, err } = await shell.run(args, { input: `${blank}\n` });
          assert.equal(code, EXIT.usage);
          assert.match(err, /^The answer is blank/);
        }
        assert.equal(sent(shell), undefined);
      }));
  }

  it('shows an amended question and asks once more, for who may have seen another', () =>
    on({ ...CHOICE, question_version: 2 }, async (shell) => {
      const no = await shell.run(['answer', SUSPENSION_ID, 'keep'], { typed: ['n'] });
      assert.equal(no.code, EXIT.no);
      assert.match(no.err, /Keep it[^]*Answer keep\? \[y\/N\]/);
      assert.equal(sent(shell), undefined);
      const yes = await shell.run(['answer', SUSPENSION_ID, 'keep'], { typed: ['y'] });
      assert.equal(yes.code, EXIT.done);
      assert.equal(sent(shell)?.question_version, 2);
    }));

  it('wants from scripts the version of an amended question that was seen', () =>
    on({ ...CHOICE, question_version: 2 }, async (shell) => {
      const answer = ['answer', SUSPENSION_ID, 'keep'];
      const option = '--version-of-question';
      for (const [args, code, said] of [
        [[], EXIT.usage, /add --version-of-question/],
        [['--yes'], EXIT.usage, /add its --version-of-question/],
        [[option, '1'], EXIT.refused, /version 2 now.*question_version_mismatch/],
        [[option, 'last'], EXIT.usage, /a number from 1 on/],
      ] as const) {
        const ended = await shell.run([...answer, ...args]);
        assert.equal(ended.code, code, ended.err);
        assert.match(ended.err, said);
        assert.equal(sent(shell), undefined);
      }
      assert.equal((await shell.run([...answer, option, '2'])).code, EXIT.done);
    }));

  it('takes y, n and their like for a confirm question', () =>
    on(CONFIRM, async (shell) => {
      for (const [typed, value] of [
        ['Y', 'yes'],
        ['false', 'no'],
        ['perhaps', 'perhaps'],
      ] as const) {
        shell.rig.calls.splice(0);
        await shell.run(['answer', SUSPENSION_ID, typed]);
        assert.equal(sent(shell)?.value, value);
      }
    }));

  it('fills a form from fields, JSON, or a file', () =>
    on(FORM, async (shell) => {
      const fields = ['--field', 'amount=12', '--field', 'note=as agreed'];
      const wanted = { amount: 12, note: 'as agreed' };
      for (const [args, input] of [
        [fields, ''],
        [[JSON.stringify(wanted)], ''],
        [['--value-file', '-'], `${JSON.stringify(wanted)}\n`],
      ] as const) {
        shell.rig.calls.splice(0);
        await shell.run(['answer', SUSPENSION_ID, ...args], { input });
        assert.deepEqual(sent(shell)?.value, wanted);
      }
    }));

  it('asks once more before what is dangerous, and sends nothing without a yes', () =>
    on(CHOICE, async (shell) => {
      const no = await shell.run(['answer', SUSPENSION_ID, 'drop'], { typed: ['n'] });
      assert.equal(no.code, EXIT.no);
      assert.match(no.err, /Drop it \(dangerous\)[^]*Answer drop\? \[y\/N\][^]*Nothing was sent/);
      assert.equal(sent(shell), undefined);
      const yes = await shell.run(['answer', SUSPENSION_ID, 'drop'], { typed: ['y'] });
      assert.equal(yes.code, EXIT.done);
      assert.equal(sent(shell)?.value, 'drop');
    }));

  it('wants --yes for that where there is no terminal', () =>
    on(CHOICE, async (shell) => {
      const refused = await shell.run(['answer', SUSPENSION_ID, 'drop']);
      assert.equal(refused.code, EXIT.usage);
      assert.match(refused.err, /add --yes/);
      assert.equal(sent(shell), undefined);
      assert.equal((await shell.run(['answer', SUSPENSION_ID, 'drop', '--yes'])).code, EXIT.done);
    }));

  it('tells an answer that counts from one that settles', () =>
    withShell(
      {
        ...showing(CONFIRM),
        respond: () => {
          const { resolution: _open, ...counted } = ANSWERED;
          return Promise.resolve({
            accepted: true,
            result: { ...counted, approvals: 1, required: 2 },
          });
        },
      },
      async (shell) => {
        const { code, out } = await shell.run(['answer', SUSPENSION_ID, 'yes']);
        assert.deepEqual([code, out], [EXIT.done, 'Counted: Yes, 1 of 2. Others have to agree.\n']);
      },
    ));

  it('ends with a code of its own if no worker has taken the answer', () =>
    withShell(
      {
        ...showing(CONFIRM),
        respond: () => Promise.resolve({ accepted: false, suspension_id: SUSPENSION_ID }),
      },
      async (shell) => {
        const { code, out, err } = await shell.run(['answer', SUSPENSION_ID, 'yes', '--json']);
        assert.equal(code, EXIT.handedOver);
        assert.deepEqual(JSON.parse(out), { accepted: false, suspension_id: SUSPENSION_ID });
        assert.match(err, /kept, and judged later/);
      },
    ));

  for (const args of [
    ['answer', SUSPENSION_ID],
    ['answer', SUSPENSION_ID, 'yes', '--field', 'a=1'],
    ['answer', SUSPENSION_ID, '--field', 'no-name'],
    ['answer', SUSPENSION_ID, '--value-file', '/nowhere/at-all'],
    ['answer', SUSPENSION_ID, 'yes', '--data', '[1]'],
    ['answer', SUSPENSION_ID, 'yes', '--hash', HASH],
    ['answer'],
  ]) {
    it(`does not understand ${args.slice(2).join(' ') || 'half of it'}`, () =>
      on(CONFIRM, async (shell) => {
        const { code, out, err } = await shell.run(args);
        assert.deepEqual([code, out], [EXIT.usage, '']);
        assert.equal(err.trim().split('\n').length, 1);
        assert.equal(sent(shell), undefined);
      }));
  }
});

describe('holdpoint approve and deny', () => {
  it('show the proposal, ask once more, and name the hash that was shown', () =>
    on(APPROVAL, async (shell) => {
      const { code, err } = await shell.run(['approve', SUSPENSION_ID], { typed: ['yes'] });
      assert.equal(code, EXIT.done);
      for (const text of [HASH, PART.proposal.calls[0]?.tool ?? '-', 'Answer approved?']) {
        assert.ok(err.includes(text), text);
      }
      assert.deepEqual(sent(shell), {
        suspension_id: SUSPENSION_ID,
        value: 'approved',
        question_version: 1,
        proposal_hash: HASH,
        metadata: { via: 'cli' },
      });
    }));

  it('take from scripts only what names the hash that was seen', () =>
    on(APPROVAL, async (shell) => {
      const blind = await shell.run(['approve', SUSPENSION_ID, '--yes']);
      assert.equal(blind.code, EXIT.usage);
      assert.match(blind.err, /add its --hash/);
      const other = 'f'.repeat(64);
      const stale = await shell.run(['deny', SUSPENSION_ID, '--yes', '--hash', other]);
      assert.equal(stale.code, EXIT.refused);
      assert.match(stale.err, /proposal_hash_mismatch/);
      assert.equal(sent(shell), undefined);
      const seen = await shell.run(['deny', SUSPENSION_ID, '--yes', '--hash', HASH]);
      assert.equal(seen.code, EXIT.done);
      assert.deepEqual([sent(shell)?.value, sent(shell)?.proposal_hash], ['rejected', HASH]);
    }));

  it('send other arguments for a call', () =>
    on(APPROVAL, async (shell) => {
      const call_id = PART.proposal.calls[0]?.id ?? '';
      const edit = `${call_id}={"amount": 100}`;
      await shell.run(['approve', SUSPENSION_ID, '--yes', '--hash', HASH, '--edit', edit]);
      assert.deepEqual(sent(shell)?.edits, [{ call_id, arguments: { amount: 100 } }]);
    }));

  it('say yes and no to a confirm question', () =>
    on(CONFIRM, async (shell) => {
      await shell.run(['approve', SUSPENSION_ID]);
      assert.equal(sent(shell)?.value, 'yes');
      shell.rig.calls.splice(0);
      await shell.run(['deny', SUSPENSION_ID]);
      assert.equal(sent(shell)?.value, 'no');
    }));

  it('do not guess a choice', () =>
    on(CHOICE, async (shell) => {
      const { code, err } = await shell.run(['approve', SUSPENSION_ID]);
      assert.equal(code, EXIT.usage);
      assert.match(err, /one of keep, drop: use `npm run -s holdpoint -- answer`/);
    }));
});

describe('holdpoint withdraw', () => {
  it('takes back what the agent asked, with a reason', () =>
    on(CONFIRM, async (shell) => {
      const args = ['withdraw', SUSPENSION_ID.slice(0, 8), '--reason', 'not needed'];
      const { code, out } = await shell.run(args, { key: 'agent' });
      assert.deepEqual([code, out], [EXIT.done, `Withdrawn: 0b7a9c1e ${VIEW.record.question}\n`]);
      const call = shell.rig.calls.find(({ method }) => method === 'cancel');
      assert.deepEqual(call?.args[2], { suspension_id: SUSPENSION_ID, reason: 'not needed' });
    }));
});

describe('what is about to be sent', () => {
  const call = (id: string, amount: number) => ({ id, tool: 'wire', arguments: { amount } });
  const two = questionWith({
    response_type: 'choice',
    approval: partWith({ calls: [call('c1', 5_000), call('c2', 70)] }),
  });

  it('is shown with the arguments that are approved, beside those that were asked about', () =>
    on(two, async (shell) => {
      const besides = ['--comment', 'half\n  of it', '--data', '{"cost_centre": "R-17"}'];
      const args = ['approve', SUSPENSION_ID, '--edit', 'c2={"amount": 35}', ...besides];
      const { code, err } = await shell.run(args, { typed: ['n'] });
      assert.equal(code, EXIT.no);
      for (const part of [
        /^Proposal, version 1, risk medium, with your edits:$/m,
        /^ {2}c1 wire\n {4}\{\n {6}"amount": 5000\n {4}\}\n {2}c2 wire\n {4}\{\n {6}"amount": 35\n/m,
        /"amount": 35\n {4}\}\n {4}Before your edit:\n {6}\{\n {8}"amount": 70\n/,
        /^Hash before your edits: [\da-f]{64}$/m,
        /^Your answer: approved$/m,
        /^Your comment: half\n {4}of it$/m,
        /^Your data:\n {2}\{\n {4}"cost_centre": "R-17"\n {2}\}$/m,
        /^Answer approved, with your edits\? \[y\/N\]/m,
      ]) {
        assert.match(err, part);
      }
      assert.equal(sent(shell), undefined);
    }));

  it('says afterwards which calls were edited, and to what', () =>
    on(two, async (shell) => {
      const { out } = await shell.run(['approve', SUSPENSION_ID, '--edit', 'c2={"amount": 35}'], {
        typed: ['y'],
      });
      assert.equal(out, 'Answered: Yes.\nEdited: c2 wire\n  {\n    "amount": 35\n  }\n');
    }));

  for (const edits of [['c9={"amount": 1}'], ['c1={"amount": 1}', 'c1={"amount": 2}']]) {
    it(`is no edit that would not be shown, such as ${edits.join(' and ')}`, () =>
      on(two, async (shell) => {
        const options = edits.flatMap((edit) => ['--edit', edit]);
        const { code, err } = await shell.run(['approve', SUSPENSION_ID, ...options], {
          typed: ['y'],
        });
        assert.equal(code, EXIT.usage);
        assert.match(err, /name calls of the proposal, each once: c1, c2\.\n$/);
        assert.equal(sent(shell), undefined);
      }));
  }

  it('has all lines of a text, further in than what asks', () =>
    on({ ...TEXT, question_version: 2 }, async (shell) => {
      const value = 'keep fax\nAnswer no?';
      const { err } = await shell.run(['answer', SUSPENSION_ID, value], { typed: ['n'] });
      assert.match(
        err,
        /^Your answer: keep fax\n {2}Answer no\?\nAnswer keep fax⏎Answer no\?\? \[y/m,
      );
    }));
});
