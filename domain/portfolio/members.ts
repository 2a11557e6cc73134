import type { AnnouncedSuspension, IntentVersion } from '../../contracts/graph/announcement.js';
import type { IntentStatus } from '../../contracts/intent/intent.js';
import { isNewer, openQuestionOf } from '../graph/announcement.js';
import { toMillis } from '../kernel/time.js';

type Asked = Pick<AnnouncedSuspension, 'suspension_id' | 'suspended_at' | 'resolution'>;

export interface MemberSnapshot extends IntentVersion {
  readonly status: IntentStatus;
  readonly suspension: Asked | null;
  readonly suspended_since?: string;
}

/** A portfolio's record of a member. It must be small, because there can be 10,000 of them. */
export interface ObservedMember {
  readonly version: number;
  readonly last_sequence: number;
  readonly status: IntentStatus;
  /** The newest known question, open or not. */
  readonly suspension_id?: string;
  /** When that question opened. Absent once it is settled. */
  readonly suspended_at?: string;
  /** When the member was suspended, if its question is not recorded yet. */
  readonly waiting_since?: string;
}

/** Notes that a member began or stopped waiting for an operator. */
export interface MemberMove {
  readonly kind: 'suspended' | 'resumed';
  readonly suspension_id: string;
}

export interface Observation {
  readonly member: ObservedMember;
  readonly moves: readonly MemberMove[];
}

/**
 * Applies an announcement of a member, in any order. A question that opened and was settled in between counts as
 * both. At first only an open question counts: earlier ones do not concern the portfolio.
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
  const left = known?.suspended_at === undefined || (before === after && open) ? undefined : before;
  if (left !== undefined && wentOn(left, now)) moves.push({ kind: 'resumed', suspension_id: left });
  if (after === undefined || after === before || (known === undefined && !open)) return moves;
  moves.push({ kind: 'suspended', suspension_id: after });
  if (!open && wentOn(after, now)) moves.push({ kind: 'resumed', suspension_id: after });
  return moves;
}

/**
 * Whether the intent continued after a question. This depends on the status, because a fallback has no
 * `intent.resumed` (R25-14).
 */
function wentOn(suspensionId: string, { status, suspension }: MemberSnapshot): boolean {
  if (suspension?.suspension_id !== suspensionId) return true;
  return status !== 'abandoned' || suspension.resolution === 'responded';
}

/**
 * Whether a deadline has ended a member's wait (R26-27): it has passed, and came after the suspension.
 *
 * @param nowMs - milliseconds since the epoch
 */
export function isOverdue(member: ObservedMember, deadline: string, nowMs: number): boolean {
  const since = member.suspended_at ?? member.waiting_since;
  if (since === undefined || toMillis(deadline) > nowMs) return false;
  return toMillis(since) <= toMillis(deadline);
}
