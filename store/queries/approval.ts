import { sql } from 'kysely';
import type { ApprovalPart, ApprovalView } from '../../contracts/approval/approval.js';
import type { AskedProposal, StoredProposal } from '../../contracts/approval/log.js';
import type { ApprovalStatus } from '../../contracts/constants/approvals.js';
import { endedAt } from '../../domain/approval/record/details.js';
import { latestOf } from '../../domain/approval/proposal/proposal.js';
import { toJsonText, toText, toTextOrNull } from '../column-values.js';
import type { Store } from '../schema.js';
import type { Page, Part } from './bounded.js';
import { markOf } from './erasure/erasure-marks.js';
import { findRecord, listRecords } from './records.js';
import { journalWriter } from './upsert.js';

export interface ApprovalListOptions extends Page {
  readonly status?: ApprovalStatus | undefined;
  readonly run_id?: string | undefined;
  readonly intent_id?: string | undefined;
  readonly asked_by?: string | undefined;
  readonly on_behalf_of?: string | undefined;
  /** `open`: the agent has saved a checkpoint, is not back, and can still come back. */
  readonly checkpoint?: 'open' | undefined;
}

export async function findApproval(db: Store, id: string): Promise<ApprovalView | undefined> {
  const found = await findRecord(db, 'approvals', id);
  const [shown] = found ? await asAsked(db, [found]) : [];
  return shown;
}

/** Updates approvals to the version of their open questions: an edit reaches the question first (A54-11). */
async function asAsked(
  db: Store,
  approvals: readonly ApprovalView[],
): Promise<readonly ApprovalView[]> {
  const open = approvals.flatMap(({ status, suspension_id }) =>
    status === 'pending' && suspension_id !== null ? [suspension_id] : [],
  );
  if (open.length === 0) return approvals;
  const { rows } = await sql<{ readonly id: string; readonly part: ApprovalPart }>`
    select id, record -> 'approval' as part from suspensions
    where id in (${sql.join(open)}) and record ? 'approval'`.execute(db);
  const parts = new Map(rows.map(({ id, part }) => [id, part]));
  return approvals.map((view) => latestOf(view, parts.get(view.suspension_id ?? '')));
}

export async function isApprovalErased(db: Store, id: string): Promise<boolean> {
  return (await markOf(db, 'approval', id)) !== undefined;
}

/** Whether the agent has saved a checkpoint and can still come back: the approval is neither over nor erased. */
const CAN_COME_BACK = sql<boolean>`
  checkpoint in ('hibernated', 'resuming') and (ended_at is null or ended_at > now())
    and not record ? 'erased_at'`;

export async function listApprovals(
  db: Store,
  { limit, offset, checkpoint, ...where }: ApprovalListOptions,
): Promise<Part<ApprovalView>> {
  const only = checkpoint && CAN_COME_BACK;
  const page = { limit, offset, first: 'newest', where, only } as const;
  const { rows, more } = await listRecords(db, 'approvals', page);
  return { rows: await asAsked(db, rows), more };
}

/** What the store should show: that the approval is there, is decided, or is past a question that was answered. */
export type WantedApproval =
  | 'there'
  | 'decided'
  | { readonly past: string }
  /** The approval has reached this edited version, or is decided. */
  | { readonly version: number };

export async function approvalsNotShown(
  db: Store,
  wanted: ReadonlyMap<string, WantedApproval>,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('approvals')
    .select(['id', 'status', 'suspension_id'])
    .select(sql<number>`(record #>> '{proposal,version}')::int`.as('version'))
    .where('id', 'in', [...wanted.keys()])
    .execute();
  const stored = new Map(rows.map((row) => [row.id, row]));
  return [...wanted].flatMap(([id, want]) => {
    const row = stored.get(id);
    return row !== undefined && isShown(row, want) ? [] : [id];
  });
}

interface ShownApproval {
  readonly status: string;
  readonly suspension_id: string | null;
  readonly version: number;
}

function isShown(
  { status, suspension_id, version }: ShownApproval,
  wanted: WantedApproval,
): boolean {
  if (wanted === 'there' || status !== 'pending') return true;
  if (typeof wanted === 'object' && 'version' in wanted) return version >= wanted.version;
  return wanted !== 'decided' && suspension_id !== null && suspension_id !== wanted.past;
}

export async function storedProposal(
  db: Store,
  id: string,
  questions: readonly string[] = [],
): Promise<StoredProposal | undefined> {
  const { rows } = await sql<StoredProposal>`
    select proposed, record -> 'proposal' as proposal from approvals where id = ${id}`.execute(db);
  const [stored] = rows;
  if (stored === undefined || questions.length === 0) return stored;
  const { rows: asked } = await sql<AskedProposal>`
    select id as suspension_id, record #> '{approval,proposal}' as proposal,
      record #>> '{approval,proposal_hash}' as proposal_hash, state = 'pending' as is_open
    from suspensions
    where id in (${sql.join(questions)}) and record #> '{approval,proposal}' is not null`.execute(
    db,
  );
  return { ...stored, asked };
}

export async function questionsOfApproval(db: Store, id: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from suspensions
    where record #>> '{approval,proposal,approval_id}' = ${id}
    order by suspended_at`.execute(db);
  return rows.map((row) => row.id);
}

/** The first version of the proposal is never replaced. */
export const writeApprovals = journalWriter({
  kind: 'approval',
  table: 'approvals',
  version: ['revision'],
  merge: { proposed: sql.ref('approvals.proposed') },
  columns: ({ approval, proposed, revision }) => ({
    id: approval.approval_id,
    revision,
    run_id: toText(approval.proposal.run_id),
    intent_id: approval.intent_id,
    asked_by: toText(approval.asked_by),
    on_behalf_of: toTextOrNull(approval.proposal.on_behalf_of),
    status: approval.status,
    risk_class: approval.proposal.risk_class,
    created_at: approval.created_at,
    resolved_at: approval.resolution?.resolved_at ?? null,
    ended_at: endedAt(approval),
    checkpoint: approval.redemption?.checkpoint?.status ?? null,
    suspension_id: approval.suspension_id,
    proposed: toJsonText(proposed),
    record: toJsonText(approval),
  }),
});
