import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../api/errors.js';
import { EXIT } from '../../cli/failures.js';
import { inboxPage, type Questions } from '../api/support/questions.js';
import { ANSWERED, SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell, type ShellRig } from './support.js';

const OPEN = questionWith();
const SHORT = SUSPENSION_ID.slice(0, 8);

const sent = ({ rig }: ShellRig) => rig.calls.map(({ method }) => method);

/** Ctrl-C, and a call during which it comes. */
function pressed() {
  const ctrlC = new AbortController();
  return { interrupted: ctrlC.signal, press: () => ctrlC.abort(new Error('interrupted')) };
}

/** The commands that send something, with what comes before and after the id. */
const COMMANDS = [
  ['answer', ['yes']],
  ['approve', []],
  ['deny', []],
  ['claim', []],
  ['release', []],
  ['delegate', ['bob', '--reason', 'away']],
  ['comment', ['Why?']],
  ['withdraw', []],
  ['amend', ['--question', 'Deploy build 8?']],
] as const;

describe('a command that gets Ctrl-C', () => {
  for (const [name, args] of COMMANDS) {
    it(`sends nothing afterwards, and waits for no reading: ${name}`, () => {
      const { interrupted, press } = pressed();
      const reading: Questions = {
        listSuspensions: () => {
          press();
          return new Promise(() => undefined);
        },
      };
      return withShell(reading, async (shell) => {
        const ended = await shell.run([name, SHORT, ...args], { key: 'admin', interrupted });
        assert.deepEqual(ended, { code: EXIT.interrupted, out: '', err: '' });
        assert.deepEqual(sent(shell), []);
      });
    });

    it(`sends nothing that it has not begun to send: ${name}`, () =>
      withShell(showing(OPEN), async (shell) => {
        const run = { key: 'admin', interrupted: AbortSignal.abort() } as const;
        const ended = await shell.run([name, SUSPENSION_ID, ...args], run);
        assert.deepEqual(ended, { code: EXIT.interrupted, out: '', err: '' });
        assert.deepEqual(sent(shell), []);
      }));
  }

  it('does not try again what it has sent', () => {
    const { interrupted, press } = pressed();
    const failing: Questions = {
      ...showing(OPEN),
      respond: () => {
        press();
        return Promise.reject(new RefusalError({ code: 'internal', detail: 'Not now.' }));
      },
    };
    return withShell(failing, async (shell) => {
      const { code } = await shell.run(['answer', SUSPENSION_ID, 'yes'], { interrupted });
      assert.equal(code, EXIT.interrupted);
      assert.deepEqual(sent(shell), ['respond']);
    });
  });

  it('says what became of the answers that were sent before, and sends no more', () => {
    const idOf = (n: number): string => `7c1d2e3f-4a5b-4c6d-8e7f-${String(n).padStart(12, '0')}`;
    const views = Array.from({ length: 150 }, (_, n) => questionWith({}, { id: idOf(n) }));
    const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
    const { interrupted, press } = pressed();
    const many: Questions = {
      getSuspension: (id) => fresh(views.find((view) => view.id === id) ?? assert.fail()),
      listSuspensions: () => inboxPage(views),
      respond: async () => {
        press();
        return { accepted: true, result: ANSWERED };
      },
    };
    return withShell(many, async (shell) => {
      const run = { typed: ['y'], interrupted };
      const { code, out } = await shell.run(['answer-all', 'yes', '--all'], run);
      assert.equal(code, EXIT.interrupted);
      assert.deepEqual(sent(shell), Array(100).fill('respond'));
      assert.equal(out.match(/^Answered: /gm)?.length, 100);
      assert.equal(out.match(/^Not answered: /gm)?.length, 50);
    });
  });

  it('reads no more of its input', () =>
    withShell(showing(OPEN), async (shell) => {
      const args = ['answer', SUSPENSION_ID, '--value-file', '-'];
      const ended = await shell.run(args, { input: 'yes', interrupted: AbortSignal.abort() });
      assert.deepEqual(ended, { code: EXIT.interrupted, out: '', err: '' });
    }));
});
