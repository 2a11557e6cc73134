import { createHash, randomBytes } from 'node:crypto';
import type { ApiKey } from '../contracts/api-key.js';
import { DEVELOPMENT_APPROVER, configuredDigest } from '../runtime/api-keys.js';
import { openDatabase } from '../store/database.js';
import { addSignInLink } from '../store/queries/session.js';
import type { Stack } from './stack.js';

/** How long a link signs its person in. */
export const LINK_MINUTES = 10;
const TOKEN_BYTES = 32;

/**
 * Links to the inbox that each sign the holder of a key in, once. What a link holds stands after `#`, which browsers send
 * to nobody.
 */
export async function signInLinks(
  { apiUrl, databaseUrl }: Pick<Stack, 'apiUrl' | 'databaseUrl'>,
  keys: readonly ApiKey[],
): Promise<readonly string[]> {
  const db = openDatabase(databaseUrl, { max: 1 });
  try {
    const links: string[] = [];
    for (const key of keys) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const now = Date.now();
      const link = {
        id: createHash('sha256').update(token).digest('hex'),
        key_digest: configuredDigest(key).toString('hex'),
        expires_at: new Date(now + LINK_MINUTES * 60_000).toISOString(),
      };
      await addSignInLink(db, link, new Date(now).toISOString());
      links.push(`${apiUrl}/inbox#link=${token}`);
    }
    return links;
  } finally {
    await db.destroy();
  }
}

/** The keys for development of two people who answer: the operator, and the second one who approves. */
export function developmentPeople(keys: readonly ApiKey[]): readonly ApiKey[] {
  const people = ['dev-operator', DEVELOPMENT_APPROVER];
  return keys.filter(({ principal }) => people.includes(principal));
}
