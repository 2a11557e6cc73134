import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import type { HandedOverKind } from '../../../contracts/constants/events.js';
import type { JournalRow, RefusedRow, RowOf } from '../../../contracts/log/journal.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { toText } from '../../column-values.js';
import type { Store } from '../../schema.js';
import { EventConflictError } from '../event-log.js';
import { FOREIGN_QUESTION } from '../question-facts.js';
import type { WaitingKey } from './unsettled.js';
import type { RunSetAside } from '../../../contracts/log/set-aside.js';
import { wholeStore } from '../../in-space.js';

/** How many refused rows of one log are reported at most. */
const REPORTED = 100;
/** Classes of SQLSTATE: the row breaks a rule of the data, a constraint, or a limit of PostgreSQL. */
const FOR_GOOD = /^(?:22|23|54)[0-9A-Z]{3}$/;

/** The SQLSTATE of a row that would replace a settled outcome by another (store/migrations/0001-baseline/suspensions.ts). */
const ANOTHER_OUTCOME = '23O01';
/** The reason of a row that would replace an outcome. */
export const OUTCOME_REPLACED = 'outcome_replaced';

/** Returns why the store will never accept a row, or undefined if another try may succeed. */
export function reasonForGood(error: unknown): string | undefined {
  const code = error instanceof DatabaseError ? error.code : undefined;
  if (error instanceof EventConflictError || code === FOREIGN_QUESTION) return 'conflict';
  if (code === ANOTHER_OUTCOME) return OUTCOME_REPLACED;
  return code !== undefined && FOR_GOOD.test(code) ? code : undefined;
}

/** Quarantines a row that the store refused, once however often it comes; returns what may be reported about it. */
export async function setAside(
  db: Store,
  row: JournalRow,
  reason: string,
  space: string = DEFAULT_SPACE,
): Promise<RefusedRow> {
  const content = JSON.stringify(row);
  const { intent_id = null, suspension_id = null, approval_id, sequence = null } = subjectOf(row);
  const known = { kind: row.kind, intent_id, suspension_id, sequence, reason };
  await db
    .insertInto('journal_quarantine')
    .values({
      id: hashJson(JSON.parse(content) as JsonObject),
      content: toText(content),
      space,
      approval_id: approval_id ?? null,
      ...known,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return approval_id === undefined ? known : { ...known, approval_id };
}

/** Returns the refused rows of an intent and of its questions: the first hundred, oldest first. */
export async function refusedRows(
  db: Store,
  intentId: string,
): Promise<readonly (RefusedRow & { readonly refused_at: string })[]> {
  return db
    .selectFrom('journal_quarantine')
    .select(['kind', 'intent_id', 'suspension_id', 'sequence', 'reason', 'refused_at'])
    .where(
      sql<boolean>`(intent_id = ${intentId} or suspension_id in (
        select id from suspensions where suspensions.intent_id = ${intentId}
      ))`,
    )
    .orderBy('refused_at')
    .orderBy('sequence')
    .limit(REPORTED)
    .execute();
}

/** A question with a refused outcome, and when that was refused last. */
interface ContradictedQuestion extends WaitingKey {
  readonly asked_by: string | null;
  readonly waiting_workflow: string | null;
}

/** A page of questions with a refused outcome. `range` is two instants (ISO-8601), or one until which all count. */
interface RefusedPage {
  readonly range: { readonly from: string; readonly to: string } | string;
  readonly after?: WaitingKey;
  readonly limit: number;
}

/**
 * Returns questions of all spaces for which another outcome than the stored one was refused, oldest first, with their
 * askers.
 */
export async function contradicted(
  db: Store,
  { range, after, limit }: RefusedPage,
): Promise<readonly ContradictedQuestion[]> {
  const { from, to } = typeof range === 'string' ? { from: '-infinity', to: range } : range;
  const { asked_at, id } = after ?? { asked_at: '-infinity', id: '' };
  const { rows } = await sql<ContradictedQuestion>`
    select suspension_id as id, refused.space, asked_by, waiting_workflow,
      date_trunc('milliseconds', max(refused_at)) as asked_at
    from journal_quarantine refused
    left join suspensions on suspensions.id = suspension_id and suspensions.space = refused.space
    where reason = ${OUTCOME_REPLACED} and suspension_id is not null
      and refused_at between ${from}::timestamptz and ${to}::timestamptz
    group by suspension_id, refused.space, asked_by, waiting_workflow
    having (date_trunc('milliseconds', max(refused_at)), suspension_id) > (${asked_at}::timestamptz, ${id})
    order by asked_at, suspension_id limit ${limit}`.execute(db);
  return rows;
}

interface Subject {
  readonly intent_id?: string | null;
  readonly suspension_id?: string;
  /** Also set for questions: each has a copy of the proposal. */
  readonly approval_id?: string | undefined;
  readonly sequence?: number;
}

/** Returns the subject of a row. For its events and for what belongs to it, a portfolio counts as an intent. */
function subjectOf(row: JournalRow): Subject {
  switch (row.kind) {
    case 'event':
      return { intent_id: row.event.intent_id, sequence: row.event.sequence };
    case 'intent':
      return { intent_id: row.intent.id };
    case 'portfolio':
      return { intent_id: row.portfolio.id };
    case 'dependency':
    case 'portfolio_member':
    case 'erasure':
      return { intent_id: row.intent_id };
    case 'task':
      return { intent_id: row.task.intent_id };
    case 'plan':
      return { intent_id: row.plan.intent_id };
    case 'coordinator':
      return { intent_id: row.coordinator.intent_id ?? row.coordinator.portfolio_id };
    case 'subscription':
      return { intent_id: row.subscription.intent_id ?? row.subscription.portfolio_id };
    case 'approval':
      return { intent_id: row.approval.intent_id, approval_id: row.approval.approval_id };
    default:
      return subjectOfQuestion(row);
  }
}

function subjectOfQuestion(row: RowOf<HandedOverKind | 'suspension_opened'>): Subject {
  switch (row.kind) {
    case 'suspension_opened':
      return {
        intent_id: row.intent_id,
        suspension_id: row.record.id,
        approval_id: approvalIn(row.record),
      };
    case 'suspension_progress':
      return { suspension_id: row.suspension_id, approval_id: approvalIn(row) };
    case 'suspension_settled':
      return { suspension_id: row.suspension_id, approval_id: approvalIn(row.settlement) };
    case 'timeline':
      return { suspension_id: row.suspension_id };
  }
}

function approvalIn(part: { readonly approval?: ApprovalPart | undefined }): string | undefined {
  return part.approval?.proposal.approval_id;
}

export type RunNames = Pick<RunSetAside, 'workflow_id' | 'run_id'>;

export type NotedRun = Omit<RunSetAside, 'tries'>;

/** Records a run that a worker has set aside, by the database's clock. An earlier record stays. */
export async function noteSetAside(db: Store, { workflow_id, run_id }: RunNames): Promise<void> {
  await sql`
    insert into runs_set_aside (run_id, workflow_id, since) values (${run_id}, ${workflow_id}, now())
    on conflict (run_id) do nothing`.execute(db);
}

export async function notedSetAside(db: Store, limit: number): Promise<readonly NotedRun[]> {
  return db
    .selectFrom('runs_set_aside')
    .select(['workflow_id', 'run_id', 'since'])
    .orderBy('since', 'desc')
    .orderBy('run_id')
    .limit(limit)
    .execute();
}

export async function forgetSetAside(db: Store, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await wholeStore(db).deleteFrom('runs_set_aside').where('run_id', 'in', runIds).execute();
}
