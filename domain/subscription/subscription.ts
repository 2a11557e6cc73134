import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { utf8Bytes } from '../kernel/text.js';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Sight } from '../../contracts/subscription/subscription.js';
import { mayRead, readerOf } from '../policy/access-list.js';
import { authorize, mayAll } from '../policy/authorize.js';
import { defined } from '../../contracts/constants/defined.js';

/** The prefix of secrets in Standard Webhooks; the rest is base64. */
const PREFIX = 'whsec_';

/**
 * Returns a subscription's secret: an HMAC of its id under the installation's secret. It is stored nowhere.
 *
 * @param installationSecret - in the form of Standard Webhooks
 */
export function subscriptionSecret(installationSecret: string, subscriptionId: string): string {
  const key = base64.decode(installationSecret.slice(PREFIX.length));
  const text = utf8Bytes(`holdpoint webhook subscription ${subscriptionId}`);
  return PREFIX + base64.encode(hmac(sha256, key, text));
}

/** Returns what a caller may see of events. */
export function sightOf(caller: Caller, agentsRead?: 'all' | 'own'): Sight {
  const reader = readerOf(caller, agentsRead);
  return { sees_all: mayAll(caller, 'seeQuestionIds'), ...defined({ reader }) };
}

/** Returns what somebody who may have lost every right may see of events; null if they may read none. */
export function presentSight(caller: Caller, agentsRead?: 'all' | 'own'): Sight | null {
  return authorize(caller, 'subscribeToAll').ok ? sightOf(caller, agentsRead) : null;
}

/** The parts of an event that determine who may see it. */
interface Seen {
  /** The access data of its intent; null if it belongs to none. */
  readonly guarded: Guarded | null;
  readonly isOfRun: boolean;
  /** Whether its intent belongs to the maker of the subscription. */
  readonly isOwn: boolean;
}

/** How much of an event a receiver gets. In a `part`, the ids of questions are shortened. */
export type Shown = 'all' | 'part' | 'nothing';

/**
 * Returns how much of an event a receiver gets: what the maker could see at the start and still may see.
 *
 * @param made - what its maker could see when it was made
 * @param present - what each key and token of its maker allows it to see; undefined if unknown
 * @param now - milliseconds since the epoch
 */
export function shownOf(
  made: Sight,
  present: readonly Sight[] | undefined,
  event: Seen,
  now: number,
): Shown {
  if (!sees(made, event, now)) return 'nothing';
  const seeing = (present ?? [made]).filter((sight) => sees(sight, event, now));
  if (seeing.length === 0) return 'nothing';
  const seesAll = made.sees_all && seeing.some(({ sees_all }) => sees_all);
  return seesAll || event.isOwn ? 'all' : 'part';
}

/** Only those who see all events in full may read the logs of runs. */
function sees({ sees_all, reader }: Sight, { guarded, isOfRun }: Seen, now: number): boolean {
  return isOfRun ? sees_all : mayRead(reader, guarded, now);
}
