import type { AnnouncedSuspension, Announcement } from '../contracts/announcement.js';
import type { Intent, IntentStatus } from '../contracts/intent.js';
import type { SuspensionRecord } from '../contracts/suspension.js';

/** A question that an intent opened, and the attempt that was current last. */
export interface AskedQuestion {
  readonly suspension_id: string;
  readonly attempt: number;
}

/** What an intent announces besides its record. */
interface Circumstances {
  readonly last_sequence: number;
  /** The latest; the record's `_suspension` counts only where it is this one. */
  readonly question: AskedQuestion | undefined;
  /** Whether it is blocked because an intent that it depends on is held. */
  readonly held_upstream: boolean;
  /** How often it has become held. */
  readonly holds: number;
}

/** The state of an intent as its observers are told. */
export function announcementOf(
  intent: Intent,
  { last_sequence, question, held_upstream, holds }: Circumstances,
): Announcement {
  const { id, version, status, abandonment_reason } = intent;
  return {
    intent_id: id,
    version,
    last_sequence,
    status,
    held: isHeld(status, held_upstream),
    holds,
    suspension: suspensionOf(intent, question),
    ...(abandonment_reason !== undefined && { abandonment_reason }),
  };
}

/** Whether an intent holds up its dependents: suspended, or blocked because it is held up itself. */
export function isHeld(status: IntentStatus, heldUpstream: boolean): boolean {
  return status === 'suspended_awaiting_input' || (status === 'blocked' && heldUpstream);
}

function suspensionOf(
  { state }: Intent,
  question: AskedQuestion | undefined,
): AnnouncedSuspension | null {
  if (question === undefined) return null;
  const record = state['_suspension'] as unknown as SuspensionRecord | null | undefined;
  if (record?.id !== question.suspension_id) return null;
  return {
    ...question,
    suspended_at: record.suspended_at,
    expires_at: record.expires_at ?? null,
    resolution: record.resolution ?? null,
    settled_at: record.settled_at ?? null,
  };
}
