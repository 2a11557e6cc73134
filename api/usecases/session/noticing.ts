import { createPublicKey } from 'node:crypto';
import type { PushState, QuietHours, StartPush } from '../../../contracts/people/noticing.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { isPushHost } from '../../../domain/directory/directory.js';
import {
  endPushSubscription,
  isSubscribedToPush,
  putPushSubscription,
} from '../../../store/queries/work/push.js';
import { standardRefusal } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import { refused } from '../../parts/refusals.js';
import type { Session } from '../../sign-in/sign-in.js';
import { useCase, type Call, type Call as Made, type Services } from '../usecase.js';
import {
  quietHoursOf,
  setQuietHours as set,
} from '../../../store/queries/people/personal-settings.js';

type SessionCall = Made & Services;

/** Says with which key a browser subscribes, and whether that of this session has done so. */
export const readPush = useCase({
  name: 'readPush',
  resource: 'session',
  refusals: ['unauthenticated', 'store_unavailable'],
  async run({ pushKey, parts }: SessionCall, { id }: Session): Promise<PushState> {
    return {
      public_key: pushKey ?? null,
      subscribed: await parts.fromStore(isSubscribedToPush, id),
    };
  },
});

/** Subscribes the browser of this session to pushes about questions, in place of an earlier subscription. */
export const startPush = useCase({
  name: 'startPush',
  resource: 'session',
  refusals: ['unauthenticated', 'push_not_configured', 'invalid_request', 'store_unavailable'],
  async run(
    { pushKey, parts, config, caller }: SessionCall,
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

/** Demands a permitted host: the browser chose the address, so only hosts that the installation names get pushes. */
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

/** Ends the pushes to the browser of this session. */
export const endPush = useCase({
  name: 'endPush',
  resource: 'session',
  refusals: ['unauthenticated', 'store_unavailable'],
  async run({ pushKey, parts }: SessionCall, { id }: Session): Promise<PushState> {
    await parts.fromStore(endPushSubscription, id);
    return { public_key: pushKey ?? null, subscribed: false };
  },
});

export const readQuietHours = useCase({
  name: 'readQuietHours',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ caller, parts }: Call) {
    return { quiet_hours: (await parts.fromStore(quietHoursOf, caller)) ?? null };
  },
});

/** Sets the quiet hours. Messages that were held back are judged anew. */
export const setQuietHours = useCase({
  name: 'setQuietHours',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ caller, parts }: Call, hours: QuietHours) {
    await parts.fromStore(set, caller, hours, toInstant(parts.clock.now()));
    return { quiet_hours: hours };
  },
});

export const endQuietHours = useCase({
  name: 'endQuietHours',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ caller, parts }: Call) {
    await parts.fromStore(set, caller, null, toInstant(parts.clock.now()));
    return { quiet_hours: null };
  },
});
