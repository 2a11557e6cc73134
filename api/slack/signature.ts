import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerConfig } from '../../contracts/config.js';
import type { SignedBySlack } from '../../contracts/slack-interaction.js';

/** How far the clocks of Slack and this machine may be apart, and how old a request may be. */
const TOLERANCE_SECONDS = 300;

/** The names of the channels whose secret has signed a request; none if nobody has, or not lately. */
export type FindSigners = (message: SignedBySlack) => readonly string[];

/**
 * Returns what finds the channels that a request of Slack is for: those with the secret that has signed it, as all channels
 * of one app have.
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
 * Whether Slack has signed a request with this secret (`v0`), within five minutes of now. The comparison takes the same time
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
