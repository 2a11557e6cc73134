import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { KeptWrites, writesFile } from '../../cli/session.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { withShell } from './support.js';
import { withFolder } from '../support/temp-folder.js';

const URL = 'http://127.0.0.1:4000';

describe('what a command leaves to the next one', () => {
  let home: string;
  withFolder((made) => (home = made), 'suite');
  beforeEach(() => rm(path.join(home, '.local'), { recursive: true, force: true }));

  it('is what it wrote, for the same service, in a file that only its owner reads', async () => {
    const env = { HOME: home };
    assert.equal(new KeptWrites(env, URL).toSend(0), undefined);
    new KeptWrites(env, URL).note('first', 0);
    new KeptWrites(env, URL).note('second', 10);
    assert.equal(new KeptWrites(env, URL).toSend(20), 'second,first');
    assert.equal(new KeptWrites(env, 'http://127.0.0.1:4001').toSend(20), undefined);
    assert.equal((await stat(writesFile(env))).mode & 0o777, 0o600);
  });

  it('is nothing where the file is damaged, or cannot be written', async () => {
    const env = { HOME: home };
    new KeptWrites(env, URL).note('first', 0);
    for (const text of ['{', '[]', 'null', `{"url":"${URL}","kept":[{"by":"a\\nb","at":0},7]}`]) {
      await writeFile(writesFile(env), text);
      assert.equal(new KeptWrites(env, URL).toSend(0), undefined, text);
    }
    new KeptWrites({ XDG_STATE_HOME: writesFile(env) }, URL).note('second', 0);
  });

  it('is left by an answer', () =>
    withShell({}, async (shell) => {
      const ended = await shell.run(['answer', SUSPENSION_ID, 'yes']);
      assert.equal(ended.code, 0, ended.err);
      const { kept } = JSON.parse(await readFile(writesFile({ HOME: shell.home }), 'utf8')) as {
        kept: unknown[];
      };
      assert.equal(kept.length, 1);
    }));
});
