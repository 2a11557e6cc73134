import { createHash, randomBytes } from 'node:crypto';
import type { ApiKey } from '../contracts/people/api-key.js';
import { DEVELOPMENT_APPROVER, configuredDigest } from '../runtime/api-keys.js';
import { openDatabase } from '../store/database.js';
import { addSignInLink } from '../store/queries/people/session.js';
import type { Store } from '../store/schema.js';

export const LINK_MINUTES = 10;
const TOKEN_BYTES = 32;
/** The factor by which a query may take longer than in the API, because the whole service has just started. */
const STARTING = 10;

/** Opens the store of a service for as long as `use` takes. */
export async function withStoreAt<Result>(
  databaseUrl: string,
  use: (db: Store) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(databaseUrl, { max: 1, patience: STARTING });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Makes links to the inbox of the API at `apiUrl`, each to sign the holder of a key in once. The token comes after
 * `#`, so that browsers do not send it.
 */
export async function signInLinks(
  db: Store,
  apiUrl: string,
  keys: readonly Pick<ApiKey, 'key'>[],
): Promise<readonly string[]> {
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
}

/** Returns the development keys of the two people who answer: the operator and the approver. */
export function developmentPeople<Key extends Pick<ApiKey, 'principal'>>(
  keys: readonly Key[],
): readonly Key[] {
  const people = ['dev-operator', DEVELOPMENT_APPROVER];
  return keys.filter(({ principal }) => people.includes(principal));
}
