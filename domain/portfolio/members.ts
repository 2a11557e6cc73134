import type { AnnouncedSuspension, IntentVersion } from '../../contracts/announcement.js';
import type { IntentStatus } from '../../contracts/intent.js';
import { isNewer, openQuestionOf } from '../graph/announcement.js';
import { toMillis } from '../kernel/time.js';

type Asked = Pick<AnnouncedSuspension, 'suspension_id' | 'suspended_at' | 'resolution'>;

/** What an intent announces of itself, as far as a portfolio looks at it. */
export interface MemberSnapshot extends IntentVersion {
  readonly status: IntentStatus;
  readonly suspension: Asked | null;
  readonly suspended_since?: string;
}

/** What a portfolio keeps of a member (design: no more than that, so that 10,000 of them fit). */
export interface ObservedMember {
  readonly version: number;
  readonly last_sequence: number;
  readonly status: IntentStatus;
  /** The newest question that was heard of, open or not. */
  readonly suspension_id?: string;
  /** Since when that question is open; absent once it is settled. */
  readonly suspended_at?: string;
  /** Since when it is suspended without a question, whose record is still to come. */
  readonly waiting_since?: string;
}

/** A member began or stopped to wait for an operator. */
export interface MemberMove {
  readonly kind: 'suspended' | 'resumed';
  readonly suspension_id: string;
}

/** A member as it is after a snapshot, and what happened to it since the last. */
export interface Observation {
  readonly member: ObservedMember;
  readonly moves: readonly MemberMove[];
}

/**
 * Takes in a snapshot of a member; one that is not newer than what is known changes nothing, so repeats and
 * reordering are harmless. A snapshot may stand for several changes: a question that was asked and settled
 * in between is told as both. What was before the first snapshot is nobody's news, unless it is still open.
 */
export function observeMember(
  known: ObservedMember | undefined,
  snapshot: MemberSnapshot,
): Observation {
  const { intent_id } = snapshot;
  if (known && !isNewer({ intent_id, ...known }, snapshot)) return { member: known, moves: [] };
  return { member: memberOf(snapshot), moves: movesBetween(known, snapshot) };
}

function memberOf(snapshot: MemberSnapshot): ObservedMember {
  const { version, last_sequence, status, suspension, suspended_since } = snapshot;
  const open = openQuestionOf(snapshot);
  return {
    version,
    last_sequence,
    status,
    ...(suspension && { suspension_id: suspension.suspension_id }),
    ...(open
      ? { suspended_at: open.suspended_at }
      : suspended_since !== undefined && { waiting_since: suspended_since }),
  };
}

function movesBetween(known: ObservedMember | undefined, now: MemberSnapshot): MemberMove[] {
  const moves: MemberMove[] = [];
  const before = known?.suspension_id;
  const after = now.suspension?.suspension_id;
  const open = openQuestionOf(now) !== null;
  if (before !== undefined && known?.suspended_at !== undefined) {
    const left = before !== after || !open;
    if (left && wentOn(before, now)) moves.push({ kind: 'resumed', suspension_id: before });
  }
  if (after === undefined || after === before || (known === undefined && !open)) return moves;
  moves.push({ kind: 'suspended', suspension_id: after });
  if (!open && wentOn(after, now)) moves.push({ kind: 'resumed', suspension_id: after });
  return moves;
}

/**
 * Whether the intent went on after a question that is settled: its status tells, not an event, for a fallback
 * lets it go on without `intent.resumed` (AM-03). One that was abandoned with its question did not.
 */
function wentOn(suspensionId: string, { status, suspension }: MemberSnapshot): boolean {
  if (suspension?.suspension_id !== suspensionId) return true;
  return status !== 'abandoned' || suspension.resolution === 'responded';
}

/**
 * Whether a member's question, or its wait for one, is to be ended for the portfolio's deadline (R26-27): it
 * is suspended since before the deadline, which has come. What begins afterwards has nothing to do with it.
 *
 * @param nowMs - milliseconds since the epoch
 */
export function isOverdue(member: ObservedMember, deadline: string, nowMs: number): boolean {
  const since = member.suspended_at ?? member.waiting_since;
  if (since === undefined || toMillis(deadline) > nowMs) return false;
  return toMillis(since) <= toMillis(deadline);
}
