import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { adviceAfter } from '../../cli/program.js';
import { EXIT } from '../../cli/failures.js';
import type { Terminal } from '../../cli/shell.js';
import { ConnectionError } from '../../client/errors.js';
import { KEYS } from '../api/support/harness.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell } from './support.js';

const WRONG = 'wrong-key-of-16-characters';

describe('what a command advises after an error', () => {
  const answer = ['answer', SUSPENSION_ID, 'yes'];
  const OF_VARIABLE =
    /^Only [^\n]+ The key came from the variable HOLDPOINT_API_KEY and is that of refund-agent \(agent\): unset it /;

  it('names the variable that has the key, whose it is, and the login', () =>
    withShell(showing(questionWith()), async (shell) => {
      await shell.bare(['login', shell.url], { input: KEYS.operator });
      const { code, err } = await shell.run(answer, { key: 'agent' });
      assert.equal(code, EXIT.notAllowed);
      assert.match(err, OF_VARIABLE);
      assert.match(err, /unset it to use your login, \S+login\.json\. \(forbidden\)\n$/);
    }));

  it('says how to sign in where there is no login', () =>
    withShell(showing(questionWith()), async (shell) => {
      const { err } = await shell.run(answer, { key: 'agent' });
      assert.match(err, OF_VARIABLE);
      assert.match(err, /and sign in with `\S.* login`\. \(forbidden\)\n$/);
    }));

  it('names the variable whose key is not accepted', () =>
    withShell({}, async (shell) => {
      const { code, err } = await shell.run(answer, { env: { HOLDPOINT_API_KEY: WRONG } });
      assert.equal(code, EXIT.notAllowed);
      assert.match(
        err,
        /The key came from the variable HOLDPOINT_API_KEY: correct it, or unset it/,
      );
      const typed = await shell.run(['login', shell.url], { input: WRONG });
      assert.doesNotMatch(typed.err, /the variable/);
    }));

  it('names the principal of a login that may not do something', () =>
    withShell(showing(questionWith()), async (shell) => {
      await shell.bare(['login', shell.url], { input: KEYS.agent });
      const { code, err } = await shell.bare(['answer', SUSPENSION_ID, 'yes']);
      assert.equal(code, EXIT.notAllowed);
      assert.match(
        err,
        /The key of \S+login\.json is that of refund-agent \(agent\)\. \(forbidden\)/,
      );
    }));

  it('says how to start what does not answer at the usual address', () =>
    withShell({}, async (shell) => {
      const isAway = new ConnectionError('no', undefined, 'http://127.0.0.1:4000');
      const settings = {
        shell: {
          env: { HOME: shell.home, HOLDPOINT_API_KEY: KEYS.operator },
          cwd: shell.home,
        },
      } as unknown as Terminal;
      assert.equal(
        await adviceAfter(isAway, settings),
        'Start it with `npm run -s holdpoint -- start`.',
      );
    }));
});
