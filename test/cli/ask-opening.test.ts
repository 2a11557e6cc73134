import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../api/errors.js';
import { openForSure } from '../../cli/commands/ask.js';
import { EXIT, endingOf } from '../../cli/failures.js';
import { apiOf } from '../../cli/session.js';
import { Terminal, type Shell } from '../../cli/shell.js';
import { SYSTEM_TIMERS } from '../../client/retry.js';
import { FakeServer, type Step } from '../client/support/fake-server.js';
import { openedIn } from '../api/support/questions.js';
import { pending } from '../client/support/samples.js';
import { runWith, withShell } from './support.js';

const OPEN = 'POST /v1/suspensions';
const QUESTION = {
  question: 'Deploy?',
  response_type: 'confirm',
  fallback_policy: 'fail',
} as const;
const BUSY = { status: 503, body: { code: 'busy', detail: 'Too much to do.' } };
const REFUSED = { status: 422, body: { code: 'invalid_request', detail: 'No.' } };

/** Opens a question without waiting between tries; what came of it, what was said, and under which keys. */
async function opened(replyTo: (nth: number) => Step) {
  const server = new FakeServer().on(OPEN, (_seen, nth) => replyTo(nth));
  await server.start();
  const notes: string[] = [];
  const stderr = { write: (line: string) => notes.push(line) };
  const shell = { stderr, interrupted: new AbortController().signal };
  const terminal = new Terminal(shell as unknown as Shell);
  const timers = { ...SYSTEM_TIMERS, pause: () => Promise.resolve() };
  const api = apiOf({ url: server.url, api_key: 'key-of-an-agent' }, terminal, { tries: 1 });
  try {
    const { ended } = await openForSure(terminal, api, QUESTION, timers).then(
      (view) => ({ ended: view.id }),
      (error: unknown) => ({ ended: endingOf(error).exitCode }),
    );
    const bodies = server.requests(OPEN).map(({ body }) => body as { request_key: string });
    return { ended, said: notes.join(''), keys: bodies.map(({ request_key }) => request_key) };
  } finally {
    await server.stop();
  }
}

describe('the opening of holdpoint ask', () => {
  it('outlives a restart of the service, under one key', async () => {
    const { ended, said, keys } = await opened((nth) => (nth < 10 ? 'cut' : { body: pending() }));
    assert.equal(ended, pending().id);
    assert.equal(keys.length, 10);
    assert.equal(new Set(keys).size, 1);
    assert.match(said, /^Holdpoint cannot be reached at \S+ \(\w+\)\. Trying again\.\n$/);
  });

  it('says under which key a question is found that may have been asked', async () => {
    const { ended, said, keys } = await opened((nth) => (nth === 1 ? 'cut' : BUSY));
    assert.equal(ended, EXIT.unavailable);
    assert.equal(keys.length, 10);
    const wanted = `may have been asked: the same command with --request-key ${keys[0]} finds it.\n`;
    assert.ok(said.endsWith(wanted), said);
  });

  for (const [what, last, code] of [
    ['that nobody took', BUSY, EXIT.unavailable],
    ['that is refused at last', REFUSED, EXIT.refused],
  ] as const) {
    it(`says nothing of a question ${what}`, async () => {
      const { ended, said } = await opened((nth) => (nth === 1 && last === REFUSED ? 'cut' : last));
      assert.equal(ended, code);
      assert.doesNotMatch(said, /may have been asked/);
    });
  }
});

describe('holdpoint ask that gets Ctrl-C while it asks', () => {
  it('asks nothing afterwards', () =>
    withShell({}, async (shell) => {
      const run = { key: 'agent', interrupted: AbortSignal.abort() } as const;
      const ended = await shell.run(['ask', 'Deploy?'], run);
      assert.deepEqual(ended, { code: EXIT.interrupted, out: '', err: '' });
      assert.deepEqual(shell.rig.sent, []);
    }));

  for (const args of [[], ['--no-wait']]) {
    it(`withdraws what was asked meanwhile ${args.join('')}`, () => {
      const ctrlC = new AbortController();
      const opening = {
        started: () => ctrlC.abort(new Error('interrupted')),
      };
      return withShell(opening, async (shell) => {
        const run = { key: 'agent', interrupted: ctrlC.signal } as const;
        const ended = await shell.run(['ask', 'Deploy?', ...args], run);
        const { id } = openedIn(shell.rig).record;
        const err = `Interrupted. The question ${id.slice(0, 8)} is withdrawn.\n`;
        assert.deepEqual(ended, { code: EXIT.interrupted, out: '', err });
        assert.deepEqual(
          shell.rig.sent.map(({ name }) => name),
          ['suspension', 'cancel', 'result'],
        );
      });
    });
  }

  it('tries to withdraw as often as any other command tries', () => {
    const ctrlC = new AbortController();
    let withdrawals = 0;
    const opening = {
      started: () => ctrlC.abort(new Error('interrupted')),
      cancel: () => {
        withdrawals += 1;
        return Promise.reject(new RefusalError({ code: 'moving', detail: 'Not now.' }));
      },
    };
    return withShell(opening, async (shell) => {
      const run = { key: 'agent', interrupted: ctrlC.signal } as const;
      assert.match((await shell.run(['ask', 'Deploy?'], run)).err, /is not withdrawn: Not now\./);
      assert.equal(withdrawals, 3);
    });
  });

  it('says under which key it is found, where no reply came', async () => {
    const ctrlC = new AbortController();
    const server = new FakeServer().on(OPEN, () => {
      ctrlC.abort(new Error('interrupted'));
      return 'cut';
    });
    await server.start();
    try {
      const env = { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: 'key-of-an-agent' };
      const args = ['ask', 'Deploy?', '--request-key', 'deploy-7'];
      const { code, out, err } = await runWith(env, args, { interrupted: ctrlC.signal });
      assert.deepEqual([code, out], [EXIT.interrupted, '']);
      assert.match(
        err,
        /^The question may have been asked: .* --request-key deploy-7 finds it\.\n$/,
      );
      assert.equal(server.requests(OPEN).length, 1);
    } finally {
      await server.stop();
    }
  });
});
