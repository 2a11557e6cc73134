import { DatabaseError } from 'pg';
import type { ApprovalPart } from '../../contracts/approval.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import type { HandedOverKind } from '../../contracts/constants/events.js';
import type { JournalRow, RefusedRow, RowOf } from '../../contracts/journal.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { hashJson } from '../../domain/kernel/hashing.js';
import { toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { EventConflictError } from './append-events.js';
import { ForeignQuestionError } from './question-owner.js';

/** So many refused rows are reported of one log. */
const REPORTED = 100;
/** Classes of SQLSTATE: what is written breaks a rule of the data, a constraint, or a limit of PostgreSQL. */
const FOR_GOOD = /^(?:22|23|54)[0-9A-Z]{3}$/;

/** Why the store will never take what was written, or undefined if another try may succeed. */
export function reasonForGood(error: unknown): string | undefined {
  if (error instanceof EventConflictError || error instanceof ForeignQuestionError) {
    return 'conflict';
  }
  const code = error instanceof DatabaseError ? error.code : undefined;
  return code !== undefined && FOR_GOOD.test(code) ? code : undefined;
}

/** Keeps a row that the store refused, once however often it comes; returns what can be told of it. */
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

/** The rows of an intent, and of its questions, that the store refused; the first hundred, oldest first. */
export async function refusedRows(
  db: Store,
  intentId: string,
): Promise<readonly (RefusedRow & { readonly refused_at: string })[]> {
  return db
    .selectFrom('journal_quarantine')
    .select(['kind', 'intent_id', 'suspension_id', 'sequence', 'reason', 'refused_at'])
    .where((eb) =>
      eb.or([
        eb('intent_id', '=', intentId),
        eb(
          'suspension_id',
          'in',
          eb.selectFrom('suspensions').select('id').where('suspensions.intent_id', '=', intentId),
        ),
      ]),
    )
    .orderBy('refused_at')
    .orderBy('sequence')
    .limit(REPORTED)
    .execute();
}

interface Subject {
  readonly intent_id?: string | null;
  readonly suspension_id?: string;
  /** Also of questions: each has a copy of the proposal. */
  readonly approval_id?: string | undefined;
  readonly sequence?: number;
}

/** Whose row it is. A portfolio is to its events, and to what belongs to it, what an intent is. */
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

function approvalIn({
  approval,
}: {
  readonly approval?: ApprovalPart | undefined;
}): string | undefined {
  return approval?.proposal.approval_id;
}
