import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AnswerKey } from '../../contracts/journal.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { decisionOf } from '../../domain/suspension/decision.js';
import { withDelegates } from '../../domain/suspension/delegates.js';
import { attentionIn } from '../../domain/suspension/view.js';
import { timelineEvent } from '../../domain/suspension/timeline-seal.js';
import type { TimelineEvent } from '../../domain/suspension/timeline-seal.js';
import { toJsonText, toText } from '../column-values.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';
import type { EventRange } from './event-log.js';
import { journalWriter } from './upsert.js';

/** Formats an instant: the type parsers do not reach into a JSON aggregate. */
const AT = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The suspension and its timeline, read at one instant; undefined before its opening is stored. A settled
 * suspension has no next attempt, so its `next_attempt_at` is null.
 */
export async function findSuspension(db: Store, id: string): Promise<SuspensionView | undefined> {
  return viewIn(await selectView(db, id).executeTakeFirst());
}

/**
 * The same once the store has the end of it, which does not change any more but by erasure; undefined until then. What
 * the reconciler wrote without the rows of the workflow is left out: as long as Temporal keeps that one, it knows more.
 */
export async function findSettled(db: Store, id: string): Promise<SuspensionView | undefined> {
  const query = selectView(db, id).where('state', '=', 'settled').where('settled_revision', '>', 0);
  return viewIn(await query.executeTakeFirst());
}

function selectView(db: Store, id: string) {
  return db
    .selectFrom('suspensions')
    .select(['id', 'intent_id', 'asked_by', 'state', 'record', 'schedule'])
    .select(['attempt', 'max_attempts', 'next_attempt_at', 'votes', 'eligibility'])
    .select(['claim', 'comment_count', 'delegates'])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('suspension_timeline')
          .select(['sequence', AT.as('at'), 'kind', 'detail'])
          .whereRef('suspension_id', '=', 'suspensions.id')
          .orderBy('sequence'),
      ).as('timeline'),
    ])
    .where('id', '=', id);
}

function viewIn(
  row: Awaited<ReturnType<ReturnType<typeof selectView>['executeTakeFirst']>>,
): SuspensionView | undefined {
  if (row === undefined) return undefined;
  const { asked_by, schedule, votes, eligibility, delegates, ...rest } = row;
  if (asked_by === null || schedule === null) return undefined;
  const isOver = rest.state === 'settled';
  const next_attempt_at = isOver ? null : rest.next_attempt_at;
  // Attempts that fell due together with the end have no row of their own, only entries.
  const attempts = rest.timeline.filter(({ kind }) => kind.startsWith('attempt')).length;
  const attempt = isOver ? Math.max(rest.attempt, attempts) : rest.attempt;
  const decision = decisionOf(rest.record, attempt, votes, eligibility);
  return {
    ...rest,
    ...decision,
    rule: withDelegates(decision.rule, delegates),
    claim: isOver ? null : rest.claim,
    ...attentionIn(rest.timeline),
    comment_count: rest.comment_count,
    asked_by,
    schedule,
    attempt,
    next_attempt_at,
  };
}

/** Whether a question has this id, in whichever space: the ids of questions are unique everywhere. */
export async function isQuestionId(db: Store, id: string): Promise<boolean> {
  const found = await wholeStore(db)
    .selectFrom('suspensions')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

/** The entries of a suspension's timeline, oldest first. */
export async function suspensionTimeline(db: Store, id: string): Promise<TimelineEntry[]> {
  return db
    .selectFrom('suspension_timeline')
    .select(['sequence', 'at', 'kind', 'detail'])
    .where('suspension_id', '=', id)
    .orderBy('sequence')
    .execute();
}

export interface StoredAnswer extends AnswerKey {
  readonly intent_id: string | null;
  readonly record: SuspensionRecord;
  /** The place of the vote among those of the record, if several people decided. */
  readonly vote?: number;
}

/**
 * The answer of a settled suspension that came under a key, by which a repetition of it is recognised; undefined if
 * none of those that count did.
 */
export async function findAnswer(
  db: Store,
  id: string,
  key: string,
): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom('suspensions')
    .select(['intent_id', 'schedule', 'answer_key', 'answer_body_hash', 'answer_keys', 'record'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.schedule === null) return undefined;
  const { intent_id, answer_key, answer_body_hash, answer_keys, record } = row;
  const vote = answer_keys?.findIndex((answer) => answer.key === key) ?? -1;
  const counted = answer_keys?.[vote];
  if (counted !== undefined) return { intent_id, ...counted, record, vote };
  if (answer_key !== key || answer_body_hash === null) return undefined;
  return { intent_id, key, body_hash: answer_body_hash, record };
}

/** The question of an intent that was asked under a key, and the hash of what was asked; or undefined. */
export async function findRequest(
  db: Store,
  intentId: string,
  key: string,
): Promise<{ readonly id: string; readonly request_hash: string | null } | undefined> {
  return db
    .selectFrom('suspensions')
    .select(['id', 'request_hash'])
    .where('intent_id', '=', intentId)
    .where('request_key', '=', toText(key))
    .executeTakeFirst();
}

/** The opening fills its columns once. Progress and settlement may already be stored. */
export const openSuspensions = journalWriter({
  kind: 'suspension_opened',
  table: 'suspensions',
  spaced: true,
  key: ['id'],
  replaceWhile: sql`suspensions.schedule is null`,
  isNews: sql`stored.schedule is null`,
  merge: {
    // An amendment may be stored before.
    question: sql`coalesce(suspensions.question, excluded.question)`,
    record: sql`excluded.record || suspensions.record`,
    max_attempts: unlessProgressed('max_attempts'),
    next_attempt_at: unlessProgressed('next_attempt_at'),
  },
  columns: ({ intent_id, asked_by, asked_as, waiting_workflow, record, schedule, request }) => ({
    id: record.id,
    intent_id,
    asked_by: toText(asked_by),
    asked_as: asked_as === undefined ? null : toText(asked_as),
    waiting_workflow: waiting_workflow === undefined ? null : toText(waiting_workflow),
    question: toText(record.question),
    response_type: record.response_type,
    channel_hint: record.channel_hint === undefined ? null : toText(record.channel_hint),
    suspended_at: record.suspended_at,
    expires_at: record.expires_at ?? null,
    schedule: toJsonText(schedule),
    record: toJsonText(record),
    max_attempts: Math.max(1, schedule.attempts.length),
    next_attempt_at: schedule.attempts[0]?.next_attempt_at ?? null,
    pause_reason: record.pause?.reason ?? null,
    request_key: request === undefined ? null : toText(request.key),
    request_hash: request?.body_hash ?? null,
  }),
});

function unlessProgressed(column: 'max_attempts' | 'next_attempt_at') {
  const [opened, current] = [sql.ref(`excluded.${column}`), sql.ref(`suspensions.${column}`)];
  return sql`case when suspensions.progress_revision < 0 then ${opened} else ${current} end`;
}

/** Which attempt a suspension has reached, and how far its decision has come. */
export const progressSuspensions = journalWriter({
  kind: 'suspension_progress',
  table: 'suspensions',
  spaced: true,
  key: ['id'],
  version: ['progress_revision'],
  // What is approved may have been edited, but how it ended is final.
  merge: {
    question: sql`coalesce(excluded.question, suspensions.question)`,
    record: sql`case when suspensions.state = 'settled' then excluded.record || suspensions.record
      else suspensions.record || excluded.record end`,
  },
  columns: ({ suspension_id, revision, attempt, max_attempts, next_attempt_at, ...decision }) => ({
    id: suspension_id,
    progress_revision: revision,
    attempt,
    max_attempts,
    next_attempt_at,
    votes: decision.votes === undefined ? null : toJsonText(decision.votes),
    eligibility: decision.eligibility === undefined ? null : toJsonText(decision.eligibility),
    claim: decision.claim === undefined ? null : toJsonText(decision.claim),
    comment_count: decision.comment_count ?? 0,
    delegates: decision.delegates === undefined ? null : toJsonText(decision.delegates),
    question: decision.amended?.question === undefined ? null : toText(decision.amended.question),
    record: toJsonText({
      ...(decision.approval && { approval: decision.approval }),
      ...decision.amended,
    }),
  }),
});

/** How a suspension ended; the settlement completes its record. */
export const settleSuspensions = journalWriter({
  kind: 'suspension_settled',
  table: 'suspensions',
  spaced: true,
  key: ['id'],
  version: ['settled_revision'],
  isNews: sql`stored.state = 'pending'`,
  // What nobody has edited stays as it was shown: the approval looks whether that is what was proposed.
  merge: {
    record: sql`suspensions.record || case
      when suspensions.record ? 'approval'
        and excluded.record #>> '{approval,proposal,version}' = '1'
      then excluded.record - 'approval' else excluded.record end`,
  },
  columns: ({ suspension_id, revision, settlement, answer, answers }) => ({
    id: suspension_id,
    settled_revision: revision,
    state: 'settled' as const,
    resolution: settlement.resolution,
    settled_at: settlement.settled_at,
    answer_key: answer?.key ?? null,
    answer_body_hash: answer?.body_hash ?? null,
    answer_keys: answers === undefined ? null : toJsonText(answers),
    record: toJsonText(settlement),
  }),
});

/** Timeline entries never change. */
export const writeTimeline = journalWriter({
  kind: 'timeline',
  table: 'suspension_timeline',
  spaced: true,
  key: ['suspension_id', 'sequence'],
  columns: ({ suspension_id, entry, seal }) => ({
    suspension_id,
    sequence: entry.sequence,
    at: entry.at,
    kind: entry.kind,
    detail: toJsonText(entry.detail),
    payload_commitment: seal?.payload_commitment ?? '',
    payload_salt: seal?.payload_salt ?? null,
    previous_event_hash: seal?.previous_event_hash ?? null,
    event_hash: seal?.event_hash ?? '',
  }),
});

/** Entries of a timeline after a number, oldest first, in the form in which they were hashed. */
export async function timelineEvents(
  db: Store,
  id: string,
  { after = 0, upTo, limit }: EventRange,
): Promise<TimelineEvent[]> {
  const rows = await db
    .selectFrom('suspension_timeline')
    .select(['sequence', 'at', 'kind', 'detail', 'payload_commitment', 'payload_salt'])
    .select(['previous_event_hash', 'event_hash'])
    .where('suspension_id', '=', id)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => timelineEvent(id, row, row));
}

/** How a timeline ends in the store; 0 and null without an entry. */
export async function timelineEnd(
  db: Store,
  id: string,
): Promise<{ readonly last_sequence: number; readonly head_hash: string | null }> {
  const last = await db
    .selectFrom('suspension_timeline')
    .select(['sequence as last_sequence', 'event_hash as head_hash'])
    .where('suspension_id', '=', id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return { last_sequence: 0, head_hash: null };
  const { last_sequence, head_hash } = last;
  return { last_sequence, head_hash: head_hash === '' ? null : head_hash };
}
