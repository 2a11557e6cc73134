import { createPublicKey } from 'node:crypto';
import type { PushState, StartPush } from '../../../contracts/people/push.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { isPushHost } from '../../../domain/directory/push-hosts.js';
import {
  endPushSubscription,
  isSubscribedToPush,
  putPushSubscription,
} from '../../../store/queries/push.js';
import { standardRefusal } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import { refused } from '../../parts/refusals.js';
import type { Session } from '../../sign-in/sign-in.js';
import { useCase } from '../usecase.js';
import type { Call as Made, Services } from '../usecase.js';

type Call = Made & Services;

/** Says with which key a browser subscribes, and whether that of this session has done so. */
export const readPush = useCase({
  name: 'readPush',
  resource: 'session',
  refusals: ['unauthenticated', 'store_unavailable'],
  async run({ pushKey, parts }: Call, { id }: Session): Promise<PushState> {
    return {
      public_key: pushKey ?? null,
      subscribed: await parts.fromStore(isSubscribedToPush, id),
    };
  },
});

/** Has the browser of this session told of questions. It takes the place of what the session had before. */
export const startPush = useCase({
  name: 'startPush',
  resource: 'session',
  refusals: ['unauthenticated', 'push_not_configured', 'invalid_request', 'store_unavailable'],
  async run(
    { pushKey, parts, config, caller }: Call,
    { id }: Session,
    { endpoint, keys, shows_words }: StartPush,
  ): Promise<PushState> {
    if (pushKey === undefined) throw standardRefusal('push_not_configured');
    demandPushHost(endpoint, config.push);
    demandPoint(keys.p256dh);
    const subscription = {
      session_id: id,
      caller: proven(caller),
      endpoint,
      p256dh: keys.p256dh,
      auth: keys.auth,
      public_key: pushKey,
      shows_words,
    };
    const at = toInstant(parts.clock.now());
    const isThere = await parts.fromStore(putPushSubscription, subscription, at);
    if (!isThere) throw standardRefusal('unauthenticated');
    return { public_key: pushKey, subscribed: true };
  },
});

/** The browser chose the address, so only hosts that the installation names are sent to. */
function demandPushHost(
  endpoint: string,
  { hosts, allow_private_network }: Services['config']['push'],
): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url !== undefined && isPushHost(url, hosts, allow_private_network)) return;
  throw refused('invalid_request', 'Nothing is sent to this address.', {
    field: 'endpoint',
    accepted: `an https:// URL at one of the hosts of push.hosts: ${hosts.join(', ') || 'none'}`,
  });
}

/** Refuses a key with which nothing could be encrypted. */
function demandPoint(p256dh: string): void {
  const point = Buffer.from(p256dh, 'base64url');
  const half = (point.length - 1) / 2;
  const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)];
  try {
    if (point[0] !== 4) throw new Error('compressed');
    const key = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
    createPublicKey({ format: 'jwk', key });
  } catch {
    throw refused('invalid_request', 'The key of the browser is no point of P-256.', {
      field: 'keys.p256dh',
      accepted: 'an uncompressed point of P-256, as PushSubscription has it',
    });
  }
}

/** Has the browser of this session told of nothing any more. */
export const endPush = useCase({
  name: 'endPush',
  resource: 'session',
  refusals: ['unauthenticated', 'store_unavailable'],
  async run({ pushKey, parts }: Call, { id }: Session): Promise<PushState> {
    await parts.fromStore(endPushSubscription, id);
    return { public_key: pushKey ?? null, subscribed: false };
  },
});
