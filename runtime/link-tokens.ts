import { createHash, randomBytes } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { JWTPayload } from 'jose';
import { linkContentSchema } from '../contracts/links.js';
import type { LinkContent, OpenLink, OpenedLink } from '../contracts/links.js';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_LINK_KEYS';
const KEY_BYTES = 32;
const AUDIENCE = 'holdpoint-link';
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
/** How long a link counts whose question does not expire sooner. */
const LONGEST_MS = 30 * 86_400_000;

/** What links are sealed with: the present key, and those of before, which still open theirs. */
export type LinkKeys = readonly [current: Uint8Array, ...retired: Uint8Array[]];

/**
 * Reads `HOLDPOINT_LINK_KEYS`: keys of 32 random bytes in base64 with commas between them. The first seals links, all of
 * them open links. Undefined if it is not set.
 *
 * @throws StartupError if one is something else, without its text
 */
export function loadLinkKeys(
  env: Readonly<Record<string, string | undefined>>,
): LinkKeys | undefined {
  const text = (env[VARIABLE] ?? '').trim();
  if (text === '') return undefined;
  const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64'));
  const [current, ...retired] = keys;
  if (current !== undefined && keys.every(({ length }) => length === KEY_BYTES)) {
    return [current, ...retired];
  }
  throw new StartupError(
    `${VARIABLE} must hold keys of 32 bytes in base64: make one with "openssl rand -base64 32".`,
  );
}

/** A new key in the form of the variable. */
export function newLinkKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Names a key in the tokens that it seals, and tells nothing of it. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('holdpoint-link\0').update(key).digest('hex').slice(0, 16);
}

/**
 * Returns what makes the links of messages: the page of the inbox, and after `#` the token, which no server and no log
 * sees. It counts until the question expires, and for 30 days at most.
 *
 * @param publicUrl - where people reach the API
 */
export function linkMaker(publicUrl: string, [key]: LinkKeys, now: () => number = Date.now) {
  const kid = idOf(key);
  return async (content: LinkContent, expiresAt: string | undefined): Promise<string> => {
    const longest = now() + LONGEST_MS;
    const until = expiresAt === undefined ? longest : Math.min(longest, Date.parse(expiresAt));
    const token = await new EncryptJWT({ ...content })
      .setProtectedHeader({ ...HEADER, kid })
      .setAudience(AUDIENCE)
      .setExpirationTime(new Date(until))
      .encrypt(key);
    return `${publicUrl}/inbox/link#${token}`;
  };
}

/** Returns what opens tokens that one of these keys has sealed, the expired ones too. */
export function linkOpener(keys: LinkKeys, now: () => number = Date.now): OpenLink {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const keyOf = ({ kid = '' }: { kid?: string }): Uint8Array => {
    const key = byId.get(kid);
    if (key === undefined) throw new errors.JWEInvalid('no key of ours has this id');
    return key;
  };
  return async (token) => {
    try {
      const { payload } = await jwtDecrypt(token, keyOf, {
        audience: AUDIENCE,
        currentDate: new Date(now()),
        keyManagementAlgorithms: [HEADER.alg],
        contentEncryptionAlgorithms: [HEADER.enc],
        requiredClaims: ['exp'],
      });
      return openedOf(payload, false);
    } catch (error) {
      // Its other claims are checked before its time.
      if (error instanceof errors.JWTExpired) return openedOf(error.payload, true);
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}

function openedOf({ exp = 0, ...payload }: JWTPayload, expired: boolean): OpenedLink | undefined {
  const { data } = linkContentSchema.safeParse(payload);
  if (data === undefined) return undefined;
  return { content: data, expires_at: new Date(exp * 1_000).toISOString(), expired };
}
