import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import { settingsOf } from '../../cli/session.js';
import { KEYS } from '../api/support/harness.js';
import { withShell, type ShellRig } from './support.js';

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
      const env = { HOME: shell.home, HOLDPOINT_API_KEY: KEYS.agent };
      const { url, api_key } = await settingsOf({ env, cwd: shell.home });
      assert.deepEqual([url, api_key], [shell.url, KEYS.agent]);
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
