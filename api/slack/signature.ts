import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { SignedBySlack } from '../../contracts/channel/slack-interaction.js';

/** The greatest difference between the time of a request and this clock. */
const TOLERANCE_SECONDS = 300;

/** Returns the names of the channels whose secret signed a request; none for an old request. */
export type FindSigners = (message: SignedBySlack) => readonly string[];

/**
 * Returns a function that finds the channels of a request of Slack: those with the secret that signed it, which all channels
 * of one app share.
 *
 * @param config with the secrets themselves in place of the variables that hold them
 */
export function signerFinder(
  { notifications }: Pick<ServerConfig, 'notifications'>,
  now: () => number = Date.now,
): FindSigners {
  const secrets = Object.entries(notifications.channels).flatMap(([name, channel]) => {
    const secret = channel.type === 'slack' ? channel.answers?.signing_secret : undefined;
    return secret === undefined ? [] : [{ name, secret }];
  });
  return (message) =>
    secrets.filter(({ secret }) => isSignedWith(secret, message, now())).map(({ name }) => name);
}

/**
 * Whether Slack signed a request with this secret (`v0`), within five minutes of now. The comparison takes the same time
 * wherever the signatures differ.
 */
function isSignedWith(
  secret: string,
  { timestamp, signature, body }: SignedBySlack,
  now: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const isRecent = Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  const given = Buffer.from(/^v0=([\da-f]{64})$/.exec(signature)?.[1] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected) && isRecent;
}
