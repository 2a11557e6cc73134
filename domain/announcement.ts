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
  /** The coordinator that holds the phases wired to it. */
  readonly dependents_held_by?: string;
}

/** The state of an intent as its observers are told. */
export function announcementOf(
  intent: Intent,
  { last_sequence, question, held_upstream, holds, dependents_held_by }: Circumstances,
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

function suspensionOf(
  { state, updated_at }: Intent,
  question: AskedQuestion | undefined,
): AnnouncedSuspension | null {
  if (question === undefined) return null;
  const record = slotOf({ state });
  if (!isObject(record) || record['id'] !== question.suspension_id) return null;
  // An agent may have written it in its own way.
  return {
    ...question,
    suspended_at: readInstant(record['suspended_at']) ?? updated_at,
    expires_at: readInstant(record['expires_at']) ?? null,
    resolution: RESOLUTIONS.find((name) => name === record['resolution']) ?? null,
    settled_at: readInstant(record['settled_at']) ?? null,
  };
}
