import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import { settingsOf } from '../../cli/session.js';
import { lockFolder } from '../../runtime/folder-lock.js';
import { openDataFolder } from '../../service/data-folder.js';
import type { Role } from '../../contracts/people/api-key.js';
import { KEYS } from '../api/support/harness.js';
import { withShell, type ShellRig } from './support.js';

/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:4';

describe('the service of this folder', () => {
  const made = [
    { key: KEYS.agent, principal: 'refund-agent', roles: ['agent'] },
    { key: KEYS.operator, principal: 'alice', roles: ['operator'] },
    { key: KEYS.admin, principal: 'root', roles: ['admin'] },
  ];

  /** Leaves word of a service in the working folder, as `npm start` does. */
  async function leave({ home, url }: ShellRig, told: object = {}): Promise<void> {
    const folder = path.join(home, '.holdpoint');
    await mkdir(folder, { recursive: true });
    const service = { url, keys_are_made: true, ...told };
    await writeFile(path.join(folder, 'service.json'), JSON.stringify(service));
    await writeFile(path.join(folder, 'development-keys.json'), JSON.stringify(made));
  }

  it('is used without a login, with a key that fits the command', () =>
    withShell({}, async (shell) => {
      await leave(shell);
      assert.equal((await shell.bare(['inbox'])).code, EXIT.done);
      const where = { env: {}, cwd: shell.home };
      for (const { key, roles } of made) {
        const found = await settingsOf(where, roles[0] as Role);
        const from = path.join(shell.home, '.holdpoint');
        assert.deepEqual(found, { url: shell.url, api_key: key, from, isOfVariable: false });
      }
      assert.match((await shell.bare(['doctor'])).out, /ok {3}workflow +none is set aside/);
    }));

  it('may have another data folder', () =>
    withShell({}, async (shell) => {
      await leave(shell);
      const env = { HOLDPOINT_DATA_DIR: path.join(shell.home, '.holdpoint') };
      assert.equal((await settingsOf({ env, cwd: '/' })).api_key, KEYS.operator);
      assert.equal((await shell.bare(['inbox'], { env: { HOLDPOINT_DATA_DIR: '/' } })).code, 4);
    }));

  it('does not replace a login, which a person is told of', () =>
    withShell({}, async (shell) => {
      await shell.bare(['login', shell.url], { input: KEYS.operator });
      await leave(shell, { url: AWAY });
      const piped = await shell.bare(['inbox']);
      assert.deepEqual([piped.code, piped.err], [EXIT.done, '']);
      const { code, err } = await shell.bare(['inbox'], { typed: [] });
      assert.equal(code, EXIT.done);
      assert.match(err, /^Your login is for \S+\. To use .* set HOLDPOINT_URL=http:\S+:4\n$/);
      const chosen = await settingsOf({
        env: { HOLDPOINT_URL: AWAY, HOME: shell.home },
        cwd: shell.home,
      });
      assert.deepEqual([chosen.url, chosen.api_key], [AWAY, KEYS.operator]);
    }));

  for (const [what, told] of [
    ['has keys that are configured', { keys_are_made: false }],
    ['is on another machine', { url: 'http://192.0.2.1:4000' }],
    ['is on another machine by a trick', { url: 'http://127.0.0.1:4000@example.com' }],
    ['is not told of in this form', { keys_are_made: 'yes' }],
  ] as const) {
    it(`is not used where it ${what}`, () =>
      withShell({}, async (shell) => {
        await leave(shell, told);
        const { code, err } = await shell.bare(['inbox']);
        assert.equal(code, EXIT.notAllowed);
        assert.match(err, /^No key\b.*sign in with/);
      }));
  }

  it('is said to be starting while it holds the folder and has not told of itself', () =>
    withShell({}, async (shell) => {
      const lock = await lockFolder(path.join(shell.home, '.holdpoint'));
      try {
        for (const args of [
          ['ask', 'Go?'],
          ['inbox'],
          ['watch'],
          ['amend', 'abc', '--question', 'B?'],
        ]) {
          const { code, err } = await shell.bare(args);
          assert.equal(code, EXIT.unavailable, err);
          assert.match(
            err,
            /^The service with the data folder \S+ is still starting, or about to stop: /,
          );
        }
        const named = await shell.bare(['inbox'], { env: { HOLDPOINT_URL: shell.url } });
        assert.match(named.err, /^No key: sign in/);
        await leave(shell);
        assert.equal((await shell.bare(['inbox'])).code, EXIT.done);
      } finally {
        await lock.release();
      }
      const killed = await shell.bare(['inbox'], { env: { HOLDPOINT_DATA_DIR: '/nowhere' } });
      assert.match(killed.err, /^No key, and no service runs in this folder: start one with/);
    }));

  it('is no longer there where it was killed, and is then there again', () =>
    withShell({}, async (shell) => {
      await leave(shell, { url: AWAY });
      const gone = await shell.bare(['inbox']);
      assert.equal(gone.code, EXIT.unavailable);
      assert.match(gone.err, /cannot be reached at \S+ \(\w+\)\. Start it with `[^`]+ start`\. \(/);
      const folder = await openDataFolder(path.join(shell.home, '.holdpoint'));
      const { err } = await shell.bare(['inbox']);
      await folder.release();
      assert.match(err, /is still starting/);
    }));
});
