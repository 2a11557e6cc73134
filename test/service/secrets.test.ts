import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadAgentStates } from '../../runtime/agent-state.js';
import { hashedKey, readKeys } from '../../runtime/api-keys.js';
import { SECRET_VARIABLES, givenSecret } from '../../service/data-folder.js';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';

/** What the command prints: the variables, and the key for the person. */
async function printed() {
  const { code, out, err } = await endOf([scriptOf('service/secrets-main.ts')]);
  assert.equal(code, 0, err);
  const lines = out.trim().split('\n');
  const env = Object.fromEntries(
    lines.map((line) => [line.split('=', 1).join(), line.slice(line.indexOf('=') + 1)]),
  );
  const key = err.trim().split(' ').at(-1) ?? '';
  return { out, lines, env, key };
}

describe('holdpoint secrets', function () {
  this.timeout(60_000);

  it('prints secrets that the programs accept', async () => {
    const { env } = await printed();
    for (const name of SECRET_VARIABLES) assert.equal(givenSecret(env, name), env[name], name);
    loadAgentStates(env);
    assert.match(env['HOLDPOINT_STATE_KEYS'] ?? '', /^[\w+/]{43}=$/);
    assert.match(env['POSTGRES_PASSWORD'] ?? '', /^[\w-]{40,}$/);
  });

  it('stores only the digest of the admin’s key, which an open API accepts', async () => {
    const { env, key, out } = await printed();
    const source = { name: 'HOLDPOINT_API_KEYS', isLoopback: false };
    const [admin, ...others] = readKeys(env['HOLDPOINT_API_KEYS'] ?? '', source);
    assert.deepEqual(others, []);
    assert.equal(admin?.key, hashedKey(key));
    assert.deepEqual(admin.roles, ['admin']);
    assert.ok(!out.includes(key));
  });

  it('prints lines that need no quotes, and others each time', async () => {
    const [one, other] = [await printed(), await printed()];
    for (const line of one.lines) assert.match(line, /^[A-Z_]+=[^\s'$#\\]+$/);
    assert.deepEqual(
      one.lines.filter((line) => other.lines.includes(line)),
      [],
    );
  });
});
