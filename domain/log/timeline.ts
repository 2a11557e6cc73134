import type { TimelineEntry, TimelineSeal } from '../../contracts/suspension/suspension.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { asHashed, sealEvent } from './seal.js';
import { uuidFrom } from '../kernel/hashing.js';

/** An entry of a timeline in the form that is hashed, exported and checked: that of an event. */
export type TimelineEvent = JsonObject & { readonly sequence: number };

/**
 * Links an entry to the one before. The hash covers suspension, number, time, kind, and a commitment in place of the
 * detail. `previousHash` is null for the first entry.
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

/** A stored entry as an event of its log. */
export function timelineEvent(
  suspension_id: string,
  { sequence, at, kind, detail }: TimelineEntry,
  seal: TimelineSeal,
): TimelineEvent {
  const { payload_commitment, payload_salt, previous_event_hash, event_hash } = seal;
  return asHashed({
    id: uuidFrom(event_hash),
    suspension_id,
    sequence,
    at,
    kind,
    payload: detail,
    payload_commitment,
    previous_event_hash,
    event_hash,
    payload_salt,
  });
}
