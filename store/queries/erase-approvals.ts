import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { markErased } from './erasure-marks.js';
import type { ErasureMark } from './erasure-marks.js';
import { appendErasure } from './run-log.js';

/** An approval, and where it left its events. */
export interface PlacedApproval {
  readonly id: string;
  readonly space: string;
  readonly run_id: string;
  readonly intent_id: string | null;
  /** Whether people may still decide. */
  readonly pending: boolean;
}

const COLUMNS = sql`
  approval.id, approval.space, approval.run_id, approval.intent_id,
  approval.status = 'pending' as pending`;

/** The approval that a question asks for, if the store has it. */
export async function approvalOfQuestion(
  db: Store,
  suspensionId: string,
): Promise<PlacedApproval | undefined> {
  const { rows } = await sql<PlacedApproval>`
    select ${COLUMNS} from suspensions question
    join approvals approval on approval.id = question.record #>> '{approval,proposal,approval_id}'
    where question.id = ${suspensionId} and approval.space = question.space`.execute(db);
  return rows[0];
}

/** The approvals of an intent. */
export async function approvalsOf(db: Store, intentId: string): Promise<readonly PlacedApproval[]> {
  const { rows } = await sql<PlacedApproval>`
    select ${COLUMNS} from approvals approval where approval.intent_id = ${intentId}`.execute(db);
  return rows;
}

/** The questions of approvals, as far as they are stored and not erased. */
export async function questionsOfApprovals(
  db: Store,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where record #>> '{approval,proposal,approval_id}' in (${sql.join(ids)})`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Erases approvals that are decided: their rows, what they left in the logs of their runs, and the snapshots of these, which
 * have the proposals. The log says what was erased of it. Triggers erase what comes later.
 */
export async function forgetApprovals(
  transaction: Store,
  approvals: readonly PlacedApproval[],
  mark: ErasureMark,
): Promise<void> {
  if (approvals.length === 0) return;
  const ids = approvals.map(({ id }) => id);
  await markErased(transaction, 'approval', ids, mark);
  await sql`
    update approvals set revision = revision where id in (${sql.join(ids)})`.execute(transaction);
  for (const approval of approvals) {
    await forgetInLog(transaction, approval, mark);
    await transaction
      .deleteFrom('snapshots')
      .where('space', '=', approval.space)
      .where('run_id', '=', approval.run_id)
      .execute();
  }
}

/** An approval whose events are erased already, or gone, adds nothing. */
async function forgetInLog(
  transaction: Store,
  { id, space, run_id }: PlacedApproval,
  mark: ErasureMark,
): Promise<void> {
  const { rows } = await sql<{ readonly sequence: number }>`
    update run_events set payload = payload
    where space = ${space} and run_id = ${run_id} and split_part(key, ':', 2) = ${id}
      and payload_salt is not null and event_type <> 'personal_data_erased'
    returning sequence`.execute(transaction);
  if (rows.length === 0) return;
  const through = Math.max(...rows.map(({ sequence }) => sequence));
  const salt = randomBytes(32).toString('base64url');
  await appendErasure(transaction, { approval_id: id, run_id, space, through, salt }, mark);
}
