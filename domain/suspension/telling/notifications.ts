import type {
  Deciders,
  NotificationRequest,
  Telling,
} from '../../../contracts/channel/notification.js';
import type { Eligible } from '../../../contracts/suspension/decision.js';
import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionRecord, TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { SECOND_MS } from '../../kernel/time.js';
import { versionOf } from '../answering/decision.js';
import { claimAt } from '../people/claim.js';
import { decidersOf } from '../people/deciders.js';
import { delegationsIn } from '../people/delegates.js';
import type { SuspensionState } from '../record/state.js';
import { formInContext, proposalOf } from '../asking/context.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The circumstances of a question when its deliveries begin. */
export interface Standing {
  readonly deciders: Deciders;
  readonly heldBy?: string | undefined;
}

/**
 * Returns the deliveries of one attempt: one for each ladder entry, in order, or one to the record's own channel. An
 * entry without a recipient has the same one as before (R26-46).
 */
export function notificationsOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  { deciders, heldBy }: Standing,
): readonly NotificationRequest[] {
  const version = versionOf(record);
  return targetsOf(attempt).map((target, index) => ({
    delivery_id: `${record.id}:${attempt.attempt}${index === 0 ? '' : `:${index + 1}`}`,
    suspension_id: record.id,
    intent_id: intentId,
    attempt: attempt.attempt,
    max_attempts: maxAttempts,
    due_at: attempt.at,
    ...target,
    deciders,
    question: record.question,
    response_type: record.response_type,
    ...defined({ choices: record.choices, context: record.context }),
    ...formInContext(record),
    ...proposalOf(record),
    ...(record.expires_at && { expires_at: record.expires_at }),
    next_attempt_at: attempt.next_attempt_at,
    // Omitted for the first version, which most questions keep.
    ...(version > 1 && { question_version: version }),
    ...defined({ held_by: heldBy }),
  }));
}

/** The channel and recipients of one delivery of an attempt. */
export type Target = Pick<NotificationRequest, 'channel_hint' | 'notify_to' | 'telling'>;

/**
 * Returns the targets of an attempt's deliveries. Of several entries that name somebody, only the first also notifies
 * others. A rung that makes people eligible notifies them all.
 */
export function targetsOf({
  ladder,
  channel_hint,
  notify_to,
}: ScheduledAttempt): readonly Target[] {
  if (ladder.length === 0) return [{ channel_hint, notify_to }];
  const isAll = ladder.some(({ eligible }) => eligible !== undefined);
  return ladder.map((entry, index) => {
    const target = {
      channel_hint: entry.channel_hint || channel_hint,
      notify_to: entry.notify_to ?? null,
    };
    if (index > 0 && target.notify_to !== null) return { ...target, telling: { others: 'none' } };
    const beside = ladder.flatMap((other) => (other !== entry && other.notify_to) || []);
    if (!isAll && beside.length === 0) return target;
    const telling = {
      ...(isAll && { others: 'all' as const }),
      ...(beside.length > 0 && { beside }),
    };
    return { ...target, telling };
  });
}

export function standingOf(
  state: SuspensionState,
  timeline: readonly TimelineEntry[],
  askers: readonly string[],
  at: number,
): Standing {
  const votes = state.votes?.map(({ vote }) => vote);
  const passed = delegationsIn(timeline).flatMap(({ by, in_force }) => (in_force ? [by] : []));
  return {
    deciders: decidersOf(state, votes, askers, passed),
    heldBy: claimAt(state, at)?.holder,
  };
}

/** Returns one delivery per delegation, oldest first, over the current channel. It continues after the next attempt. */
export function noticesOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  timeline: readonly TimelineEntry[],
  { deciders }: Pick<Standing, 'deciders'>,
): readonly NotificationRequest[] {
  return delegationsIn(timeline).flatMap(({ by, to, to_group }, index) => {
    const notify_to = to ?? to_group ?? null;
    const recipient = { ...attempt, notify_to, ladder: [], next_attempt_at: null };
    const standing = { deciders, heldBy: to };
    const sent = notificationsOf(intentId, record, recipient, maxAttempts, standing);
    const delivery_id = `${record.id}:to:${index + 1}`;
    const telling: Telling = { others: 'none' };
    const passed = { delivery_id, telling, delegated_by: by, ...defined({ to_group }) };
    return sent.map((request) => ({ ...request, ...passed }));
  });
}

/**
 * Returns one delivery for each change of who is eligible, oldest first: it notifies the people of the change whom
 * the rule did not name before.
 */
export function eligibilityNoticesOf(
  intentId: string | null,
  record: SuspensionRecord,
  attempt: ScheduledAttempt,
  maxAttempts: number,
  timeline: readonly TimelineEntry[],
  standing: Standing,
): readonly NotificationRequest[] {
  const changes = timeline.filter(({ kind }) => kind === 'eligibility_changed');
  return changes.flatMap(({ detail }, index) => {
    const { before } = detail as { readonly before?: Eligible };
    const everybody = { ...attempt, notify_to: null, ladder: [], next_attempt_at: null };
    const sent = notificationsOf(intentId, record, everybody, maxAttempts, standing);
    const delivery_id = `${record.id}:eligible:${index + 1}`;
    const telling: Telling = defined({ except: before });
    return sent.map((request) => ({ ...request, delivery_id, telling }));
  });
}

const MINUTE_MS = 60_000;

/**
 * Returns the longest pause (ms) between two tries: a tenth of the window, from 5 s to 10 min; an hour without a
 * window.
 */
export function longestPauseMs(windowMs: number | undefined): number {
  if (windowMs === undefined) return 60 * MINUTE_MS;
  return Math.min(Math.max(Math.floor(windowMs / 10), 5 * SECOND_MS), 10 * MINUTE_MS);
}
