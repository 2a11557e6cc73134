import { randomBytes } from 'node:crypto';
import { hashedKey } from '../runtime/api-keys.js';
import { newIdSecret, newKey } from '../runtime/own-secrets.js';
import { runMain, say } from '../runtime/program.js';
import { newSecrets } from './data-folder.js';

/**
 * `holdpoint secrets`: writes new secrets to standard output, `NAME=value` a line without quotes, as compose, Docker and
 * systemd read them. The key of a first admin goes to standard error, for a person: the lines have its digest only.
 */
function main(): Promise<void> {
  const key = `admin-${randomBytes(24).toString('base64url')}`;
  const admin = { key: hashedKey(key), principal: 'admin', roles: ['admin'] };
  const secrets = {
    ...newSecrets(),
    HOLDPOINT_STATE_KEYS: newKey(),
    HOLDPOINT_API_KEYS: JSON.stringify([admin]),
    POSTGRES_PASSWORD: newIdSecret(),
  };
  for (const [name, value] of Object.entries(secrets)) say(`${name}=${value}`);
  process.stderr.write(`The key of the first admin, which is not among them: ${key}\n`);
  return Promise.resolve();
}

await runMain(main);
