import type { AnnouncedSuspension, Announcement } from '../contracts/announcement.js';
import type { Intent, IntentStatus } from '../contracts/intent.js';
import type { Resolution } from '../contracts/suspension.js';
import { isObject } from './given-form.js';
import { slotOf } from './state-patch.js';
import { readInstant } from './time.js';

const RESOLUTIONS: readonly Resolution[] = ['responded', 'expired', 'cancelled'];

/** A question that an intent opened, and the attempt that was current last. */
export interface AskedQuestion {
  readonly suspension_id: string;
  readonly attempt: number;
  /** Since when the intent was suspended for it, by our clock; else its record tells. */
  readonly suspended_at?: string;
  /** Of its schedule, null where it does not expire; else its record tells. */
  readonly expires_at?: string | null;
}

/** What an intent announces besides its record. */
interface Circumstances {
  readonly last_sequence: number;
  /** The latest; the record's `_suspension` counts only where it is this one. */
  readonly question?: AskedQuestion | undefined;
  /** Whether it is blocked because an intent that it depends on is held. */
  readonly held_upstream: boolean;
  /** How often it has become held. */
  readonly holds: number;
  /** Since when it is suspended, by our clock. */
  readonly suspended_since?: string | undefined;
  /** The coordinator that holds the phases wired to it. */
  readonly dependents_held_by?: string;
}

/** The state of an intent as its observers are told. */
export function announcementOf(
  intent: Intent,
  { last_sequence, question, held_upstream, holds, ...optional }: Circumstances,
): Announcement {
  const { id, version, status, abandonment_reason } = intent;
  const { suspended_since, dependents_held_by } = optional;
  return {
    intent_id: id,
    version,
    last_sequence,
    status,
    held: isHeld(status, held_upstream),
    holds,
    suspension: suspensionOf(intent, question),
    ...(suspended_since !== undefined && { suspended_since }),
    ...(abandonment_reason !== undefined && { abandonment_reason }),
    ...(dependents_held_by !== undefined && { dependents_held_by }),
  };
}

/** Whether an intent holds up its dependents: suspended, or blocked because it is held up itself. */
export function isHeld(status: IntentStatus, heldUpstream: boolean): boolean {
  return status === 'suspended_awaiting_input' || (status === 'blocked' && heldUpstream);
}

/**
 * The question that an announced intent waits for. One that is settled is its last, not its open one, also
 * where the intent is suspended anew and the record of its next question is still to come.
 */
export function openQuestionOf<Asked extends Pick<AnnouncedSuspension, 'resolution'>>({
  status,
  suspension,
}: {
  readonly status: IntentStatus;
  readonly suspension: Asked | null;
}): Asked | null {
  if (status !== 'suspended_awaiting_input') return null;
  return suspension?.resolution === null ? suspension : null;
}

/** When the question in the state of an intent was asked, as its record says; an agent may have written it. */
export function askedAt({ state, updated_at }: Pick<Intent, 'state' | 'updated_at'>): string {
  const record = slotOf({ state });
  return (isObject(record) ? readInstant(record['suspended_at']) : undefined) ?? updated_at;
}

function suspensionOf(
  intent: Intent,
  question: AskedQuestion | undefined,
): AnnouncedSuspension | null {
  if (question === undefined) return null;
  const record = slotOf(intent);
  const { suspension_id, attempt, suspended_at, expires_at } = question;
  if (!isObject(record) || record['id'] !== suspension_id) return null;
  const ends = expires_at === undefined ? readInstant(record['expires_at']) : expires_at;
  return {
    suspension_id,
    attempt,
    suspended_at: suspended_at ?? askedAt(intent),
    expires_at: ends ?? null,
    resolution: RESOLUTIONS.find((name) => name === record['resolution']) ?? null,
    settled_at: readInstant(record['settled_at']) ?? null,
  };
}
