import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Sight } from '../../contracts/subscription/subscription.js';
import { mayRead, readerOf } from '../policy/access-list.js';
import { authorize, mayAll } from '../policy/authorize.js';
import { defined } from '../../contracts/constants/defined.js';

/** Returns what a caller sees of events. */
export function sightOf(caller: Caller, agentsRead?: 'all' | 'own'): Sight {
  const reader = readerOf(caller, agentsRead);
  return { sees_all: mayAll(caller, 'seeQuestionIds'), ...defined({ reader }) };
}

/** Returns the same of somebody who may have lost every right; null for who may read no events. */
export function presentSight(caller: Caller, agentsRead?: 'all' | 'own'): Sight | null {
  return authorize(caller, 'subscribeToAll').ok ? sightOf(caller, agentsRead) : null;
}

/** An event in the feed, as far as it decides who sees it. */
interface Seen {
  /** The access data of its intent; null if it belongs to none. */
  readonly guarded: Guarded | null;
  readonly isOfRun: boolean;
  /** Whether it is of an intent that the maker of the subscription owns. */
  readonly isOwn: boolean;
}

/** How much of an event a receiver gets. In a part of it, the ids of questions are shortened. */
export type Shown = 'all' | 'part' | 'nothing';

/**
 * Returns how much of an event the receiver of a subscription gets: what its maker saw when it was made, and still
 * sees now.
 *
 * @param made - what its maker saw when it was made
 * @param present - what each key and token of its maker lets it see; undefined if nobody knows
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

/** Whoever sees all events in full may read the logs of runs. */
function sees({ sees_all, reader }: Sight, { guarded, isOfRun }: Seen, now: number): boolean {
  return isOfRun ? sees_all : mayRead(reader, guarded, now);
}
