import { randomBytes } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { RowOf } from '../../../contracts/log/journal.js';
import type { Store } from '../../schema.js';
import { markErased, type ErasureMark } from './erasure-marks.js';
import { appendErasure } from '../run-log.js';

export interface PlacedApproval {
  readonly id: string;
  readonly space: string;
  readonly run_id: string;
  readonly intent_id: string | null;
  readonly pending: boolean;
}

/** A stored or refused row of an approval; the highest revision is current. */
interface Revision extends PlacedApproval {
  readonly revision: number;
}

/** Returns the approval of a question, if it is stored or quarantined. */
export async function approvalOfQuestion(
  db: Store,
  suspensionId: string,
): Promise<PlacedApproval | undefined> {
  const { rows } = await sql<{ readonly id: string | null; readonly space: string }>`
    select question.space, coalesce(
      question.record #>> '{approval,proposal,approval_id}',
      (
        select max(aside.approval_id) from journal_quarantine aside
        where aside.suspension_id = question.id and aside.space = question.space
      )
    ) as id
    from suspensions question where question.id = ${suspensionId}`.execute(db);
  const [asked] = rows;
  if (asked === undefined || asked.id === null) return undefined;
  const found = await approvalsBy(db, { stored: 'id', refused: 'approval_id', value: asked.id });
  return found.find(({ space }) => space === asked.space);
}

export function approvalsOf(db: Store, intentId: string): Promise<readonly PlacedApproval[]> {
  return approvalsBy(db, { stored: 'intent_id', refused: 'intent_id', value: intentId });
}

/** Selects approvals by the value of a column of `approvals`, and of `journal_quarantine`. */
interface By {
  readonly stored: 'id' | 'intent_id';
  readonly refused: 'approval_id' | 'intent_id';
  readonly value: string;
}

async function approvalsBy(db: Store, { stored, refused, value }: By): Promise<PlacedApproval[]> {
  const { rows } = await sql<Revision>`
    select id, space, run_id, intent_id, revision, status = 'pending' as pending
    from approvals where ${sql.ref(stored)} = ${value}`.execute(db);
  const aside = await db
    .selectFrom('journal_quarantine')
    .select(['space', 'content'])
    .where('kind', '=', 'approval')
    .where(refused, '=', value)
    .where('content', '<>', '')
    .execute();
  const newest = new Map<string, Revision>();
  for (const one of [...rows, ...aside.map(refusedRevision)]) {
    const key = `${one.space} ${one.id}`;
    const known = newest.get(key);
    if (known === undefined || known.revision < one.revision) newest.set(key, one);
  }
  return [...newest.values()].map(({ revision: _, ...approval }) => approval);
}

function refusedRevision(row: { readonly space: string; readonly content: string }): Revision {
  const { space } = row;
  const { approval, revision } = JSON.parse(row.content) as RowOf<'approval'>;
  const { approval_id: id, intent_id, proposal, status } = approval;
  return { id, space, run_id: proposal.run_id, intent_id, revision, pending: status === 'pending' };
}

/** Selects the questions with quarantined rows. A row that names a question of another space is not one of them. */
export function questionsSetAside(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select aside.suspension_id from journal_quarantine aside
    where aside.suspension_id is not null and ${where} and not exists (
      select from suspensions other
      where other.id = aside.suspension_id and other.space <> aside.space
    )`;
}

/** Returns the questions of approvals that are stored, or quarantined and not erased. */
export async function questionsOfApprovals(
  db: Store,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where record #>> '{approval,proposal,approval_id}' in (${sql.join(ids)})
    union ${questionsSetAside(sql`aside.approval_id in (${sql.join(ids)})`)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Erases decided approvals: their stored and refused rows, their events in the logs of runs, and these runs'
 * snapshots, which contain the proposals. The log records what was erased. Triggers erase later rows.
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
  await sql`
    update journal_quarantine set content = content
    where approval_id in (${sql.join(ids)})`.execute(transaction);
  for (const approval of approvals) {
    await forgetInLog(transaction, approval, mark);
    await transaction
      .deleteFrom('snapshots')
      .where('space', '=', approval.space)
      .where('run_id', '=', approval.run_id)
      .execute();
  }
}

/** Erases the events of an approval in the log; adds nothing if they are already erased or removed. */
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
  const through = rows.reduce((last, { sequence }) => Math.max(last, sequence), 0);
  const salt = randomBytes(32).toString('base64url');
  await appendErasure(transaction, { approval_id: id, run_id, space, through, salt }, mark);
}
