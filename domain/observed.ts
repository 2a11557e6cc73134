import type { IntentPlace } from '../contracts/announcement.js';

/** Whether `next` says more than what is known: a repeat and one that comes late do not. */
export function isNewer(known: IntentPlace | undefined, next: IntentPlace): boolean {
  if (known === undefined || next.version !== known.version) {
    return known === undefined || next.version > known.version;
  }
  return next.last_sequence > known.last_sequence;
}

/**
 * Keeps the newest of each intent: in whatever order, and however often, announcements come in, the same
 * is known in the end. The very list that was given comes back where nothing is new.
 */
export function takeAnnouncement<T extends IntentPlace>(
  known: readonly T[],
  next: T,
): readonly T[] {
  const earlier = known.find(({ intent_id }) => intent_id === next.intent_id);
  if (!isNewer(earlier, next)) return known;
  if (earlier === undefined) return [...known, next];
  return known.map((one) => (one === earlier ? next : one));
}
