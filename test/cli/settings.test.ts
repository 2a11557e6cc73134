import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/exit-codes.js';
import { KEYS } from '../api/support/harness.js';
import { withShell } from './support.js';
import type { ShellRig } from './support.js';

const WRONG = 'wrong-key-of-16-characters';
/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:4';

function fileOf({ home }: ShellRig): string {
  return path.join(home, '.config/holdpoint/login.json');
}

describe('holdpoint login', () => {
  it('keeps a key that is piped in where only its owner reads it', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.bare(['login', shell.url], { input: `${KEYS.operator}\n` });
      assert.equal(code, EXIT.done);
      assert.match(out, /^Signed in at \S+ as alice \(operator\)\. Kept in \S+login\.json\.\n$/);
      assert.equal(out.includes(KEYS.operator), false);
      const { mode } = await stat(fileOf(shell));
      assert.equal(mode & 0o777, 0o600);
      assert.deepEqual(JSON.parse(await readFile(fileOf(shell), 'utf8')), {
        url: shell.url,
        api_key: KEYS.operator,
      });
      assert.equal((await shell.bare(['inbox'])).code, EXIT.done);
    }));

  it('closes a file that was open to others', () =>
    withShell({}, async (shell) => {
      await mkdir(path.dirname(fileOf(shell)), { recursive: true });
      await writeFile(fileOf(shell), '{}', { mode: 0o644 });
      await shell.bare(['login', shell.url], { input: KEYS.operator });
      assert.equal((await stat(fileOf(shell))).mode & 0o777, 0o600);
    }));

  it('asks for address and key, and does not show the key', () =>
    withShell({}, async (shell) => {
      const { code, err } = await shell.bare(['login'], { typed: [shell.url, KEYS.operator] });
      assert.equal(code, EXIT.done, err);
      assert.match(err, /Address of Holdpoint \[http:\/\/127\.0\.0\.1:4000\]: [^]*Key: /);
      assert.equal(err.includes(KEYS.operator), false);
    }));

  it('takes the key of a file, and keeps below XDG_CONFIG_HOME', () =>
    withShell({}, async (shell) => {
      const file = path.join(shell.home, 'key');
      await writeFile(file, `${KEYS.agent}\n`);
      const env = { XDG_CONFIG_HOME: path.join(shell.home, 'xdg') };
      const args = ['login', shell.url, '--key-file', file, '--json'];
      const { out } = await shell.bare(args, { env });
      const kept = JSON.parse(out);
      assert.equal(kept.principal, 'refund-agent');
      assert.equal(kept.file, path.join(shell.home, 'xdg/holdpoint/login.json'));
    }));

  it('keeps no key that is not accepted', () =>
    withShell({}, async (shell) => {
      const { code, out, err } = await shell.bare(['login', shell.url], { input: WRONG });
      assert.deepEqual([code, out], [EXIT.notAllowed, '']);
      assert.match(err, /\(unauthenticated\)\n$/);
      await assert.rejects(stat(fileOf(shell)), { code: 'ENOENT' });
    }));

  for (const [args, input] of [
    [['login', 'localhost:4000'], KEYS.operator],
    [['login', 'http://127.0.0.1:1/v1'], KEYS.operator],
    [['login', AWAY], '\n'],
    [['login', AWAY], 'two\nlines'],
    [['login', AWAY, '--key-file', '/nowhere/at-all'], ''],
  ] as const) {
    it(`does not understand ${args.slice(1).join(' ')}, key ${JSON.stringify(input).length > 20 ? '…' : JSON.stringify(input)}`, () =>
      withShell({}, async (shell) => {
        const { code, err } = await shell.bare(args, { input });
        assert.equal(code, EXIT.usage);
        assert.equal(err.trim().split('\n').length, 1);
      }));
  }
});

describe('the settings of the command line', () => {
  it('are asked for where there are none', () =>
    withShell({}, async (shell) => {
      const { code, err } = await shell.bare(['inbox']);
      assert.equal(code, EXIT.notAllowed);
      assert.match(
        err,
        /^No key, and no service runs in this folder: start one with `npm run -s holdpoint -- start`, or sign in with `npm run -s holdpoint -- login`, or set HOLDPOINT_API_KEY/,
      );
      const named = await shell.bare(['inbox'], { env: { HOLDPOINT_URL: shell.url } });
      assert.match(named.err, /^No key: sign in with `npm run -s holdpoint -- login`, or set/);
    }));

  it('of the environment go before the login', () =>
    withShell({}, async (shell) => {
      await shell.bare(['login', shell.url], { input: KEYS.operator });
      const { out } = await shell.bare(['doctor', '--json'], {
        env: { HOLDPOINT_API_KEY: KEYS.agent },
      });
      assert.match(out, /refund-agent/);
    }));

  it('send the key of a login to its own address only', () =>
    withShell({}, async (shell) => {
      await shell.bare(['login', shell.url], { input: KEYS.operator });
      const { code, err } = await shell.bare(['inbox'], { env: { HOLDPOINT_URL: AWAY } });
      assert.equal(code, EXIT.notAllowed);
      assert.match(err, /set HOLDPOINT_API_KEY too/);
    }));

  it('say that a service is away, in one line and soon', () =>
    withShell({}, async (shell) => {
      const { code, err } = await shell.run(['inbox'], { env: { HOLDPOINT_URL: AWAY } });
      assert.equal(code, EXIT.unavailable);
      assert.match(
        err,
        /Holdpoint cannot be reached at http:\/\/127\.0\.0\.1:4 \(\w+\)\. \(connection_failed\)\n$/,
      );
    }));

  it('are not taken with a key that is none, which is not repeated', () =>
    withShell({}, async (shell) => {
      const env = { HOLDPOINT_API_KEY: 'dev-agent-…' };
      assert.deepEqual(await shell.run(['inbox'], { env }), {
        code: EXIT.notAllowed,
        out: '',
        err: 'The key of the environment has characters that no key has.\n',
      });
      const spaced = { HOLDPOINT_API_KEY: 'a key that has spaces in it' };
      const { err } = await shell.run(['inbox'], { env: spaced });
      assert.match(err, /\(unauthenticated\)\n$/);
    }));

  it('are not taken from a file that is no login', () =>
    withShell({}, async (shell) => {
      await mkdir(path.dirname(fileOf(shell)), { recursive: true });
      await writeFile(fileOf(shell), 'url: here');
      const { code, err } = await shell.bare(['inbox']);
      assert.equal(code, EXIT.notAllowed);
      assert.match(err, /login\.json cannot be used: it is no login/);
    }));
});

describe('holdpoint doctor', () => {
  it('finds nothing where all is well', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor', '--json']);
      const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { name: string }[] };
      assert.deepEqual([code, ok], [EXIT.done, true]);
      assert.deepEqual(
        checks.map(({ name }) => name),
        [
          'settings',
          'address',
          'api',
          'temporal',
          'worker',
          'store',
          'clock',
          'key',
          'channel',
          'version',
        ],
      );
    }));

  it('says of each part that is missing how to mend it', () =>
    withShell(
      {},
      async (shell) => {
        const { code, out, err } = await shell.run(['doctor']);
        assert.equal(code, EXIT.no);
        assert.match(
          out,
          /^BAD {2}temporal +failed, or not answered within.*\n +Look whether Temporal runs/m,
        );
        assert.match(
          out,
          /^BAD {2}worker +0 polling "holdpoint"\n +Start one with `npm run -s holdpoint -- worker`/m,
        );
        assert.match(out, /^BAD {2}store +not migrated.*\n.*`npm run -s holdpoint -- migrate`/m);
        assert.match(err, /Mend what is marked BAD/);
      },
      {},
      {
        temporal: { service: { describeTaskQueue: async () => ({ pollers: [] }) } },
        store: { storeState: async () => ({ missing: ['0001-baseline'], refused_rows: 0 }) },
      },
    ));

  it('says that the clocks differ, and by how much', () =>
    withShell({}, async (shell) => {
      for (const [ahead, says] of [
        [150_000, /BAD {2}clock +this clock is 2m ahead of that of the service/],
        [-7_260_000, /BAD {2}clock +this clock is 2h behind that of the service/],
      ] as const) {
        const { code, out } = await shell.run(['doctor'], { now: Date.now() + ahead });
        assert.equal(code, EXIT.no);
        assert.match(out, says);
      }
    }));

  it('says that the key is not accepted', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { env: { HOLDPOINT_API_KEY: WRONG } });
      assert.equal(code, EXIT.no);
      assert.match(
        out,
        /^BAD {2}key .*\(unauthenticated\)\n +Sign in with `npm run -s holdpoint -- login`/m,
      );
    }));

  const EARLY = { at: '2026-03-24T10:00:00.000Z', status_code: 200 };
  const LATE = { at: '2026-03-24T11:00:00.000Z', status_code: 535 };
  for (const [last_delivered, outcome, line] of [
    [
      EARLY,
      'mail_login_refused',
      /^BAD {2}channel +console channel console failed .*11:00:00\.000Z: mail_login_refused \(535\)\n +Give the worker the user/m,
    ],
    [
      null,
      'channel_failed',
      /^BAD {2}channel .*channel_failed \(535\)\n +Look at the log of the worker/m,
    ],
    [
      LATE,
      undefined,
      /^ok {3}channel +console channel console delivered 2026-03-24T11:00:00\.000Z$/m,
    ],
    [null, undefined, /^ok {3}channel +console channel console has sent nothing yet$/m],
  ] as const) {
    const before = last_delivered === null ? 'nothing' : 'a delivery';
    it(`says of a channel after ${before} that it is ${outcome ?? 'well'}`, () => {
      const last_failed = outcome === undefined ? null : { ...LATE, outcome };
      const tries = { last_delivered, last_failed };
      const store = { newestTries: async () => tries };
      return withShell(
        {},
        async (shell) => {
          const { code, out } = await shell.run(['doctor']);
          assert.match(out, line);
          assert.equal(code, outcome === undefined ? EXIT.done : EXIT.no);
        },
        {},
        { store },
      );
    });
  }

  const CHAT = { type: 'slack', bot_token: '$BOT' };
  const WITH_CHAT = {
    directory: {},
    notifications: { default_channel: 'chat', channels: { chat: CHAT } },
  };
  const ASKED = { at: EARLY.at, outcome: null, reason: null };
  const REFUSED = { outcome: 'slack_login_refused', reason: 'Slack answered invalid_auth' };
  for (const [check, line] of [
    [
      { ...ASKED, state: 'ok' },
      /^ok {3}channel +the service of slack channel chat answered 2026-03-24T10:00:00\.000Z, and took the credentials if it has any$/m,
    ],
    [
      { ...ASKED, ...REFUSED, state: 'failed' },
      /^BAD {2}channel +slack channel chat failed when its service was asked .*10:00:00\.000Z: Slack answered invalid_auth\n +Give the worker a bot token/m,
    ],
    [
      { ...ASKED, state: 'unknown' },
      /^BAD {2}channel .* no worker that runs has asked its service since 2026-03-24T10:00:00\.000Z\n +A worker asks when it starts/m,
    ],
    [
      undefined,
      /^BAD {2}channel .* no worker that runs has asked its service\n +A worker asks when it starts/m,
    ],
  ] as const) {
    it(`says of a service that a worker ${check ? 'asked' : 'never asked'}: ${check?.state ?? 'unknown'}`, () => {
      const checks = new Map(check === undefined ? [] : [['chat', check]]);
      return withShell(
        {},
        async (shell) => {
          const { code, out } = await shell.run(['doctor']);
          assert.match(out, line);
          assert.equal(code, check?.state === 'ok' ? EXIT.done : EXIT.no);
        },
        WITH_CHAT,
        { store: { channelChecks: async () => checks } },
      );
    });
  }

  const MAIL = { type: 'email', smtp: '$SMTP', from: 'hold@example.com' };
  const WITH_MAIL = {
    directory: {},
    notifications: { default_channel: 'mail', channels: { mail: MAIL } },
  };
  const MENDED = /^ok {3}channel .*, its service takes the login since$/m;
  const ANSWERS = /^BAD {2}channel .*, its service answers since\n +The next message shows/m;
  const LOGIN_WANTED =
    /^BAD {2}channel .*: mail_login_refused \(530\)\n +Give the worker the user/m;
  for (const [config, outcome, status_code, asked, line] of [
    [WITH_MAIL, 'mail_login_refused', 535, LATE, MENDED],
    [WITH_MAIL, 'connection_failed', null, LATE, ANSWERS],
    [WITH_CHAT, 'no_reply_in_time', null, LATE, ANSWERS],
    [WITH_CHAT, 'no_reply_in_time', null, EARLY, /^BAD {2}channel .*: no_reply_in_time\n/m],
    // What no check can clear: a login that only a mail needs, a mail, and the scopes of a token.
    [WITH_MAIL, 'mail_login_refused', 530, LATE, LOGIN_WANTED],
    [WITH_MAIL, 'mail_deferred', 451, LATE, /^BAD {2}channel .*: mail_deferred \(451\)\n/m],
    [
      WITH_CHAT,
      'slack_login_refused',
      200,
      LATE,
      /^BAD {2}channel .*: slack_login_refused \(200\), and its token counts now\n +Look whether the bot/m,
    ],
  ] as const) {
    const when = asked === LATE ? 'a good answer since' : 'no answer since';
    it(`says of ${outcome} (${status_code}) and ${when} whether it is mended`, () => {
      const last_failed = { at: EARLY.at, outcome, status_code };
      const check = { ...ASKED, at: asked.at, state: 'ok' } as const;
      const name = config.notifications.default_channel;
      return withShell(
        {},
        async (shell) => {
          const { code, out } = await shell.run(['doctor']);
          assert.match(out, line);
          assert.equal(code, line === MENDED ? EXIT.done : EXIT.no);
        },
        config,
        {
          store: {
            newestTries: async () => ({ last_delivered: null, last_failed }),
            channelChecks: async () => new Map([[name, check]]),
          },
        },
      );
    });
  }

  it('does not ask for channels with a key that may not see them', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { key: 'agent' });
      assert.equal(code, EXIT.done);
      assert.doesNotMatch(out, /channel/);
    }));

  it('says that others may read the key', () =>
    withShell({}, async (shell) => {
      await shell.bare(['login', shell.url], { input: KEYS.operator });
      await chmod(fileOf(shell), 0o644);
      const { out } = await shell.bare(['doctor']);
      assert.match(out, /^BAD {2}settings +others may read the key[^\n]*\n +Run: chmod 600 /m);
    }));

  it('looks at the service even without a key', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.bare(['doctor'], { env: { HOLDPOINT_URL: shell.url } });
      assert.equal(code, EXIT.no);
      assert.match(out, /^BAD {2}settings +No key/m);
      assert.match(out, /^ok {3}worker/m);
    }));

  it('says that the address is none', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { env: { HOLDPOINT_URL: 'here:4000' } });
      assert.equal(code, EXIT.no);
      assert.match(out, /^BAD {2}settings +The address here:4000 must begin with http:\/\//m);
    }));

  it('says that nothing answers, or something else', () =>
    withShell({}, async (shell) => {
      const away = await shell.run(['doctor'], { env: { HOLDPOINT_URL: AWAY } });
      assert.equal(away.code, EXIT.no);
      assert.match(
        away.out,
        /^BAD {2}address +Holdpoint cannot be reached[^\n]*\n +Start it with/m,
      );
      const other = await shell.run(['doctor'], { env: { HOLDPOINT_URL: `${shell.url}/docs` } });
      assert.match(other.out, /^BAD {2}address +What answers at \S+ is no Holdpoint/m);
    }));
});
