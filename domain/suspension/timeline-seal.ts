import type { TimelineEntry, TimelineSeal } from '../../contracts/suspension.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { sealEvent } from '../intent/event-seal.js';
import { uuidFrom } from '../kernel/hashing.js';

/** An entry of a timeline in the form that is hashed, exported and checked: that of an event. */
export type TimelineEvent = JsonObject & { readonly sequence: number };

/**
 * Links an entry to the one before. The hash covers the suspension, number, time and kind, and a commitment in place of
 * the detail.
 *
 * @param previousHash - hash of the entry before it, null for the first
 */
export function sealTimelineEntry(
  suspension_id: string,
  { sequence, at, kind, detail }: TimelineEntry,
  previousHash: string | null,
  salt: string,
): TimelineSeal {
  const entry = { suspension_id, sequence, at, kind, payload: detail };
  const sealed = sealEvent(entry, previousHash, salt);
  const { payload_commitment, payload_salt, previous_event_hash, event_hash } = sealed;
  return { payload_commitment, payload_salt, previous_event_hash, event_hash };
}

/** A stored entry as an event of its log. Without a salt, its detail was erased. */
export function timelineEvent(
  suspension_id: string,
  { sequence, at, kind, detail }: TimelineEntry,
  seal: TimelineSeal,
): TimelineEvent {
  const { payload_commitment, payload_salt, previous_event_hash, event_hash } = seal;
  const erased = payload_salt === null && payload_commitment !== '';
  return {
    id: uuidFrom(event_hash),
    suspension_id,
    sequence,
    at,
    kind,
    payload: detail,
    payload_commitment,
    previous_event_hash,
    event_hash,
    ...(payload_salt !== null && { payload_salt }),
    ...(erased && { erased }),
  };
}
