import type { EntityKey } from '../contracts/kernel/entity-key.js';
import { SERVER } from '../contracts/constants/callers.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import { lostApproval } from '../domain/approval/record/lost.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ApprovalReconciliation } from './ports/reconciliation.js';
import type { Finding } from './types.js';

interface Dependencies {
  readonly approvals: ApprovalReconciliation;
  readonly now: () => Date;
}

/**
 * Repairs an approval that the store shows as waiting while its workflow is closed, and returns the finding; undefined if it
 * needs no repair. A lost one is cancelled by the system, with its questions, and its log says so. Its row is written last: until
 * then the next look begins anew.
 */
export async function approvalFinding(
  { approvals, now }: Dependencies,
  placed: EntityKey,
  cancelMissing: boolean,
): Promise<Finding | undefined> {
  const end = await approvals.endOf(placed);
  if (end === undefined) return undefined;
  if (end.kind === 'missing' && !cancelMissing) return 'missing';
  if (end.kind === 'decided') {
    await approvals.writeRow(end.row, placed.space);
    return 'written';
  }
  const stored = await approvals.find(placed);
  if (stored?.status !== 'pending') return undefined;
  const { view, events } = lostApproval(stored, toInstant(now().getTime()));
  const { resolution, intent_id, proposal } = view;
  await approvals.withdrawQuestions(placed, resolution?.reason ?? '');
  const { run_id } = proposal;
  const at = resolution?.resolved_at ?? view.created_at;
  for (const { key, draft } of events) {
    const note = { key, run_id, intent_id, principal: SERVER.principal, ...draft, at };
    await approvals.note(note, placed.space);
  }
  const row = { kind: 'approval', approval: view, proposed: proposal } as const;
  await approvals.writeRow({ ...row, revision: LAST_REVISION }, placed.space);
  return 'lost';
}
