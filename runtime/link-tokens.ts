import { createHash, randomBytes } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { JWTPayload } from 'jose';
import { linkContentSchema } from '../contracts/links.js';
import type { ServerConfig } from '../contracts/config.js';
import type { LinkContent, OpenLink } from '../contracts/links.js';
import { buttonContentSchema } from '../contracts/slack.js';
import type { ButtonTokens, MakeButton, OpenButton } from '../contracts/slack.js';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_LINK_KEYS';
const KEY_BYTES = 32;
const AUDIENCE = 'holdpoint-link';
const BUTTON_AUDIENCE = 'holdpoint-button';
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

/**
 * What seals the buttons in Slack; undefined where no channel takes answers there.
 *
 * @throws StartupError if one does and there are no keys
 */
export function buttonKeys(
  { channels }: ServerConfig['notifications'],
  linkKeys: LinkKeys | undefined,
): LinkKeys | undefined {
  const isAnswering = Object.values(channels).some(
    (channel) => channel.type === 'slack' && channel.answers !== undefined,
  );
  if (!isAnswering) return undefined;
  if (linkKeys !== undefined) return linkKeys;
  throw new StartupError(`${VARIABLE} is not set: buttons in Slack need it.`);
}

/** A new key in the form of the variable. */
export function newLinkKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Names a key in the tokens that it seals, and tells nothing of it. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('holdpoint-link\0').update(key).digest('hex').slice(0, 16);
}

/** How tokens of one kind are sealed and opened; one of another kind does not open. */
interface Seal {
  readonly audience: string;
  readonly now: () => number;
}

/** Seals a token that counts until an instant (ISO-8601), and for 30 days at most. */
async function sealed(
  content: JWTPayload,
  key: Uint8Array,
  expiresAt: string | undefined,
  { audience, now }: Seal,
): Promise<string> {
  const longest = now() + LONGEST_MS;
  const until = expiresAt === undefined ? longest : Math.min(longest, Date.parse(expiresAt));
  return new EncryptJWT({ ...content })
    .setProtectedHeader({ ...HEADER, kid: idOf(key) })
    .setAudience(audience)
    .setExpirationTime(new Date(until))
    .encrypt(key);
}

/** Returns what opens tokens of one kind that one of these keys has sealed, the expired ones too. */
function opener(keys: LinkKeys, { audience, now }: Seal) {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const keyOf = ({ kid = '' }: { kid?: string }): Uint8Array => {
    const key = byId.get(kid);
    if (key === undefined) throw new errors.JWEInvalid('no key of ours has this id');
    return key;
  };
  return async (token: string): Promise<{ payload: JWTPayload; expired: boolean } | undefined> => {
    try {
      const { payload } = await jwtDecrypt(token, keyOf, {
        audience,
        currentDate: new Date(now()),
        keyManagementAlgorithms: [HEADER.alg],
        contentEncryptionAlgorithms: [HEADER.enc],
        requiredClaims: ['exp'],
      });
      return { payload, expired: false };
    } catch (error) {
      // Its other claims are checked before its time.
      if (error instanceof errors.JWTExpired) return { payload: error.payload, expired: true };
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}

/**
 * Returns what makes the links of messages: the page of the inbox, and after `#` the token, which no server and no log
 * sees. It counts until the question expires, and for 30 days at most.
 *
 * @param publicUrl - where people reach the API
 */
export function linkMaker(publicUrl: string, [key]: LinkKeys, now: () => number = Date.now) {
  return async (content: LinkContent, expiresAt: string | undefined): Promise<string> => {
    const token = await sealed({ ...content }, key, expiresAt, { audience: AUDIENCE, now });
    return `${publicUrl}/inbox/link#${token}`;
  };
}

/** Returns what opens tokens that one of these keys has sealed, the expired ones too. */
export function linkOpener(keys: LinkKeys, now: () => number = Date.now): OpenLink {
  const open = opener(keys, { audience: AUDIENCE, now });
  return async (token) => {
    const { payload, expired = false } = (await open(token)) ?? {};
    if (payload === undefined) return undefined;
    const { exp = 0, ...rest } = payload;
    const { data } = linkContentSchema.safeParse(rest);
    if (data === undefined) return undefined;
    return { content: data, expires_at: new Date(exp * 1_000).toISOString(), expired };
  };
}

/** Returns what makes the tokens of buttons in chat messages. No link opens with one, and the other way round. */
export function buttonMaker([key]: LinkKeys, now: () => number = Date.now): MakeButton {
  return (content, expiresAt) =>
    sealed({ ...content }, key, expiresAt, { audience: BUTTON_AUDIENCE, now });
}

/** Returns what opens the tokens of buttons; whether the question is over, the question itself says. */
export function buttonOpener(keys: LinkKeys, now: () => number = Date.now): OpenButton {
  const open = opener(keys, { audience: BUTTON_AUDIENCE, now });
  return async (token) => buttonContentSchema.safeParse((await open(token))?.payload).data;
}

/** Both for the same keys. */
export function buttonTokens(keys: LinkKeys, now: () => number = Date.now): ButtonTokens {
  return { make: buttonMaker(keys, now), open: buttonOpener(keys, now) };
}
