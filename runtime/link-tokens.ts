import { createHash } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose';
import { linkContentSchema, type LinkContent, type OpenLink } from '../contracts/channel/links.js';
import type { ServerConfig } from '../contracts/server/config.js';
import {
  buttonContentSchema,
  type ButtonTokens,
  type MakeButton,
  type OpenButton,
} from '../contracts/channel/slack.js';
import { keysIn } from './own-secrets.js';
import { StartupError, type Environment } from './program.js';

const VARIABLE = 'HOLDPOINT_LINK_KEYS';
const AUDIENCE = 'holdpoint-link';
const BUTTON_AUDIENCE = 'holdpoint-button';
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
/** How long a link is valid if its question does not expire sooner. */
const LONGEST_MS = 30 * 86_400_000;

/** The keys of links: the current one encrypts, and earlier ones still decrypt their links. */
export type LinkKeys = readonly [current: Uint8Array, ...retired: Uint8Array[]];

/**
 * Reads `HOLDPOINT_LINK_KEYS`; undefined if it is not set.
 *
 * @throws StartupError as `keysIn`
 */
export function loadLinkKeys(env: Environment): LinkKeys | undefined {
  const [current, ...retired] = keysIn(env, VARIABLE);
  return current && [current, ...retired];
}

/**
 * Returns the keys of buttons in Slack; undefined if no channel takes answers there.
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

/** Returns the id of a key in its tokens, which reveals nothing about the key. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('holdpoint-link\0').update(key).digest('hex').slice(0, 16);
}

/** The kind of a token and the clock. A token of another kind does not open. */
interface Seal {
  readonly audience: string;
  readonly now: () => number;
}

/** Makes a token that is valid until an instant (ISO-8601), and for 30 days at most. */
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

/** Returns a function that opens tokens of one kind under these keys, expired ones too. */
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
      // The library checks all other claims before the time.
      if (error instanceof errors.JWTExpired) return { payload: error.payload, expired: true };
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}

/**
 * Returns a function that makes links in messages: the page of the inbox, and after `#` the token, which reaches no server
 * and no log. A link is valid until its question expires, and for 30 days at most.
 *
 * @param publicUrl - where people reach the API
 */
export function linkMaker(publicUrl: string, [key]: LinkKeys, now: () => number = Date.now) {
  return async (content: LinkContent, expiresAt: string | undefined): Promise<string> => {
    const token = await sealed({ ...content }, key, expiresAt, { audience: AUDIENCE, now });
    return `${publicUrl}/inbox/link#${token}`;
  };
}

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

/** Returns a function that makes the tokens of buttons in chat messages. They open no links, and links open no buttons. */
export function buttonMaker([key]: LinkKeys, now: () => number = Date.now): MakeButton {
  return (content, expiresAt) =>
    sealed({ ...content }, key, expiresAt, { audience: BUTTON_AUDIENCE, now });
}

/** Returns a function that opens the tokens of buttons, whether or not their question is over. */
export function buttonOpener(keys: LinkKeys, now: () => number = Date.now): OpenButton {
  const open = opener(keys, { audience: BUTTON_AUDIENCE, now });
  return async (token) => buttonContentSchema.safeParse((await open(token))?.payload).data;
}

/** Returns the makers and openers of button tokens for the same keys. */
export function buttonTokens(keys: LinkKeys, now: () => number = Date.now): ButtonTokens {
  return { make: buttonMaker(keys, now), open: buttonOpener(keys, now) };
}
