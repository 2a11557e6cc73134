import assert from 'node:assert/strict';
import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import { KEYS, type KeyName } from '../api/support/harness.js';
import { hanging } from '../api/support/fakes.js';
import { inboxPage, type Questions } from '../api/support/questions.js';
import { CANCELLED } from '../api/support/records.js';
import { questionWith, withShell, type ShellRig } from './support.js';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMMAND = [process.execPath, scriptOf('cli/main.ts')];
/** A disk on which there is no room. */
const FULL = '/dev/full';
const ASK = ['ask', 'Deploy?'];

interface Started {
  readonly key?: KeyName;
  readonly stdio?: StdioOptions;
  /** What starts the command, in place of this process. */
  readonly below?: readonly string[];
}

/** Starts the program with the address and the key of an API, an operator's unless it says otherwise. */
function start({ url, home }: ShellRig, args: readonly string[], started: Started = {}) {
  const { key = 'operator', stdio = ['ignore', 'pipe', 'pipe'], below = [] } = started;
  const [program = '', ...more] = [...below, ...COMMAND, ...args];
  const PATH = process.env['PATH'] ?? '';
  const env = { PATH, HOME: home, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: KEYS[key] };
  return spawn(program, more, { cwd: ROOT, env, stdio });
}

function said(stream: Readable | null): Promise<string> {
  return text(stream ?? Readable.from([]));
}

async function codeOf(child: ReturnType<typeof start>): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

async function onFull<T>(run: (fd: number) => Promise<T>): Promise<T> {
  const full = await open(FULL, 'w');
  try {
    return await run(full.fd);
  } finally {
    await full.close();
  }
}

/** A long list, and a question that is settled by the time that somebody waits. */
function serving(response: 'yes' | 'no'): Questions {
  const at = '2026-11-20T10:05:00.000Z';
  const settled = questionWith(
    {
      resolution: 'responded',
      response,
      settled_by: 'operator',
      settled_at: at,
      responded_at: at,
      responded_by: 'alice',
    },
    { state: 'settled' },
  );
  const long = questionWith({ context: { long: 'x'.repeat(6_000) } });
  const many = Array.from({ length: 50 }, () => long);
  return {
    listSuspensions: () => inboxPage(many),
    getSuspension: () => Promise.resolve({ value: settled, stale: false }),
  };
}

describe('the process of a command, and its output', () => {
  it('is written as a whole before it ends', () =>
    withShell(serving('yes'), async (shell) => {
      const below = ['sh', '-c', '{ "$@"; echo $? >&2; } | cat', 'sh'];
      const child = start(shell, ['inbox', '--json'], { below });
      const [out, err] = await Promise.all([said(child.stdout), said(child.stderr)]);
      assert.equal(err, `${EXIT.done}\n`);
      assert.ok(out.length > 280_000, `${out.length} characters`);
      assert.equal((JSON.parse(out) as { suspensions: [] }).suspensions.length, 50);
    }));

  for (const [what, args, key, response, onFullDisk, withoutReader] of [
    ['a list', ['inbox', '--json'], 'operator', 'yes', EXIT.unwritten, EXIT.done],
    ['a denial', ASK, 'agent', 'no', EXIT.no, EXIT.no],
  ] as const) {
    it(`of ${what} ends with ${onFullDisk} on a full disk`, () =>
      withShell(serving(response), async (shell) => {
        const code = await onFull((fd) =>
          codeOf(start(shell, args, { key, stdio: ['ignore', fd, 'ignore'] })),
        );
        assert.equal(code, onFullDisk);
      }));

    it(`of ${what} ends with ${withoutReader} where its reader has gone`, () =>
      withShell(serving(response), async (shell) => {
        const child = start(shell, args, { key });
        child.stdout?.destroy();
        child.stderr?.resume();
        assert.equal(await codeOf(child), withoutReader);
      }));
  }
});

describe('the process of a command, and what it says beside its output', () => {
  it('gives the answer on a full disk too', () =>
    withShell(serving('yes'), async (shell) => {
      await onFull(async (fd) => {
        const child = start(shell, ASK, { key: 'agent', stdio: ['ignore', 'pipe', fd] });
        assert.deepEqual(await Promise.all([said(child.stdout), codeOf(child)]), ['yes\n', 0]);
      });
    }));

  it('gives the answer where nobody reads the rest', () =>
    withShell(serving('yes'), async (shell) => {
      const child = start(shell, ASK, { key: 'agent' });
      child.stderr?.destroy();
      assert.deepEqual(await Promise.all([said(child.stdout), codeOf(child)]), ['yes\n', 0]);
    }));
});

describe('the process of a command that gets Ctrl-C', () => {
  it('withdraws the question, also where npm passes the signal on once more', async () => {
    let press = (): void => undefined;
    let passOn = (): void => undefined;
    const passedOn = new Promise<void>((resolve) => (passOn = resolve));
    await withShell(
      {
        outcome(call) {
          call.signal.addEventListener('abort', () => {
            press();
            passOn();
          });
          press();
          return hanging(call);
        },
        cancel: async () => {
          await passedOn;
          return CANCELLED;
        },
      },
      async (shell) => {
        const child = start(shell, ASK, { key: 'agent' });
        press = () => child.kill('SIGINT');
        const [err, code] = await Promise.all([said(child.stderr), codeOf(child)]);
        assert.match(err, /Interrupted\. The question [0-9a-f]{8} is withdrawn\.\n$/);
        assert.equal(code, EXIT.interrupted);
      },
    );
  });
});
