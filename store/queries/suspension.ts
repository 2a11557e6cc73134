import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AnswerKey } from '../../contracts/log/journal.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { decisionOf } from '../../domain/suspension/answering/decision.js';
import { withDelegates } from '../../domain/suspension/people/delegates.js';
import { attentionIn } from '../../domain/suspension/record/view.js';
import { timelineEvent, type TimelineEvent } from '../../domain/log/seal.js';
import { toJsonText, toJsonTextOrNull, toText, toTextOrNull } from '../column-values.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';
import { isAny } from './bounded.js';
import type { EventRange } from './event-log.js';
import { journalWriter } from './upsert.js';
import { defined } from '../../contracts/constants/defined.js';
import type { KnownOutcome } from '../../domain/suspension/record/known-outcome.js';
import { isSettled, settlementOf } from '../../domain/suspension/record/state.js';

/** Formats an instant: the type parsers do not reach into a JSON aggregate. */
const AT = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Returns the suspension and its timeline as of one instant; undefined before its opening is stored. The
 * `next_attempt_at` of a settled suspension is null.
 */
export async function findSuspension(db: Store, id: string): Promise<SuspensionView | undefined> {
  return viewIn(await selectView(db, id).executeTakeFirst());
}

/**
 * Returns the same once its end is stored, which then changes only by erasure. An end that the reconciler wrote
 * without the workflow's rows does not count, because the workflow, while Temporal keeps it, knows more.
 */
export async function findSettled(db: Store, id: string): Promise<SuspensionView | undefined> {
  const query = selectView(db, id).where('state', '=', 'settled').where('settled_revision', '>', 0);
  return viewIn(await query.executeTakeFirst());
}

function selectView(db: Store, id: string) {
  return db
    .selectFrom('suspensions')
    .select(['id', 'intent_id', 'asked_by', 'asked_as', 'state', 'record', 'schedule'])
    .select(['attempt', 'max_attempts', 'next_attempt_at', 'votes', 'eligibility'])
    .select(['claim', 'comment_count', 'delegates', 'delegate_groups'])
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
  const { delegates, delegate_groups, ...found } = row;
  const { asked_by, asked_as, schedule, votes, eligibility, ...rest } = found;
  if (asked_by === null || schedule === null) return undefined;
  const isOver = rest.state === 'settled';
  const next_attempt_at = isOver ? null : rest.next_attempt_at;
  // Attempts that became due together with the end have no row of their own, only entries.
  const attempts = rest.timeline.filter(({ kind }) => kind.startsWith('attempt')).length;
  const attempt = isOver ? Math.max(rest.attempt, attempts) : rest.attempt;
  const decision = decisionOf(rest.record, attempt, votes, eligibility);
  return {
    ...rest,
    ...decision,
    rule: withDelegates(decision.rule, { delegates, delegate_groups }),
    claim: isOver ? null : rest.claim,
    ...attentionIn(rest.timeline),
    comment_count: rest.comment_count,
    asked_by,
    ...(asked_as !== null && { asked_as }),
    schedule,
    attempt,
    next_attempt_at,
  };
}

/** Whether a question in any space has this id: ids of questions are unique across spaces. */
export function isQuestionId(db: Store, id: string): Promise<boolean> {
  return isAny(wholeStore(db), sql`select from suspensions where id = ${id}`);
}

export interface StoredAnswer extends AnswerKey {
  readonly intent_id: string | null;
  readonly record: SuspensionRecord;
  /** The index of the vote in the record, if several people decided. */
  readonly vote?: number;
}

/** Returns the answer of a settled suspension that came under a key, to recognise its repetition; or undefined. */
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

/** Returns the question of an intent that was asked under a key, and the hash of the request; or undefined. */
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

/** The opening fills its columns once. Progress and settlement may be stored before it. */
export const openSuspensions = journalWriter({
  kind: 'suspension_opened',
  table: 'suspensions',
  replaceWhile: sql`suspensions.schedule is null`,
  isNews: sql`stored.schedule is null`,
  merge: {
    // An amendment may be stored before the opening.
    question: sql`coalesce(suspensions.question, excluded.question)`,
    record: sql`excluded.record || suspensions.record`,
    max_attempts: unlessProgressed('max_attempts'),
    next_attempt_at: unlessProgressed('next_attempt_at'),
  },
  columns: ({ intent_id, asked_by, asked_as, waiting_workflow, record, schedule, request }) => ({
    id: record.id,
    intent_id,
    asked_by: toText(asked_by),
    asked_as: toTextOrNull(asked_as),
    waiting_workflow: toTextOrNull(waiting_workflow),
    question: toText(record.question),
    response_type: record.response_type,
    channel_hint: toTextOrNull(record.channel_hint),
    suspended_at: record.suspended_at,
    expires_at: record.expires_at ?? null,
    schedule: toJsonText(schedule),
    record: toJsonText(record),
    max_attempts: Math.max(1, schedule.attempts.length),
    next_attempt_at: schedule.attempts[0]?.next_attempt_at ?? null,
    pause_reason: record.pause?.reason ?? null,
    request_key: toTextOrNull(request?.key),
    request_hash: request?.body_hash ?? null,
  }),
});

function unlessProgressed(column: 'max_attempts' | 'next_attempt_at') {
  const [opened, current] = [sql.ref(`excluded.${column}`), sql.ref(`suspensions.${column}`)];
  return sql`case when suspensions.progress_revision < 0 then ${opened} else ${current} end`;
}

/** Writes the attempt that a suspension has reached, and the state of its decision. */
export const progressSuspensions = journalWriter({
  kind: 'suspension_progress',
  table: 'suspensions',
  version: ['progress_revision'],
  // The proposal may have been edited, but the settlement is final.
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
    votes: toJsonTextOrNull(decision.votes),
    eligibility: toJsonTextOrNull(decision.eligibility),
    claim: toJsonTextOrNull(decision.claim),
    comment_count: decision.comment_count ?? 0,
    delegates: toJsonTextOrNull(decision.delegates),
    delegate_groups: toJsonTextOrNull(decision.delegate_groups),
    question: toTextOrNull(decision.amended?.question),
    record: toJsonText({ ...defined({ approval: decision.approval }), ...decision.amended }),
  }),
});

/** Writes the end of a suspension; the settlement completes its record. */
export const settleSuspensions = journalWriter({
  kind: 'suspension_settled',
  table: 'suspensions',
  version: ['settled_revision'],
  isNews: sql`stored.state = 'pending'`,
  // An unedited proposal stays as it was shown: the approval compares it with what was proposed.
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
    answer_keys: toJsonTextOrNull(answers),
    record: toJsonText(settlement),
  }),
});

/** Timeline entries never change. */
export const writeTimeline = journalWriter({
  kind: 'timeline',
  table: 'suspension_timeline',
  key: ['suspension_id', 'sequence'],
  columns: ({ suspension_id, entry, seal }) => ({
    suspension_id,
    sequence: entry.sequence,
    at: entry.at,
    kind: entry.kind,
    detail: toJsonText(entry.detail),
    payload_commitment: seal.payload_commitment,
    payload_salt: seal.payload_salt,
    previous_event_hash: seal.previous_event_hash,
    event_hash: seal.event_hash,
  }),
});

/** Returns a part of a timeline, oldest first, in the form in which it was hashed. */
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

/** Returns the stored end of a timeline; 0 and null without an entry. */
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
  return last ?? { last_sequence: 0, head_hash: null };
}

/**
 * Returns the outcome of a question, with the keys of its answers; `erased` if that is gone, undefined while it is
 * open.
 */
export async function knownOutcome(
  db: Store,
  id: string,
): Promise<KnownOutcome | 'erased' | undefined> {
  const row = await db
    .selectFrom('suspensions')
    .select(['record', 'answer_key', 'answer_body_hash', 'answer_keys'])
    .where('id', '=', id)
    .where('state', '=', 'settled')
    .executeTakeFirst();
  if (row === undefined || !isSettled(row.record)) return undefined;
  const { record, answer_key: key, answer_body_hash: body_hash, answer_keys } = row;
  if (record.erased_at !== undefined) return 'erased';
  return {
    settlement: settlementOf(record),
    ...defined({
      answer: key !== null && body_hash !== null ? { key, body_hash } : undefined,
      answers: answer_keys ?? undefined,
    }),
  };
}

/**
 * Reserves the next run of a check that is due once for all workers; false if another worker reserved one less than
 * so many seconds ago, by the database's clock.
 */
export async function takeLook(db: Store, work: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into looks (work, at) values (${work}, now())
    on conflict (work) do update set at = excluded.at
      where looks.at <= now() - make_interval(secs => ${seconds})
    returning 1`.execute(db);
  return rows.length > 0;
}
