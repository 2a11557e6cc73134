import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { authorize } from '../../policy/authorize.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Judges who may withdraw an approval: the asker or an admin. Refuses `forbidden`. */
export function mayWithdraw(
  by: Caller,
  { asked_by }: Pick<ApprovalView, 'asked_by'>,
): Ruling<true> {
  return authorize(by, 'withdrawApproval', { asker: asked_by });
}

/** The requests of an agent off Temporal about an approval. */
export type PickUp =
  'redeemCall' | 'completeCall' | 'claimCheckpoint' | 'finishCheckpoint' | 'reportMutation';

/** Judges who may redeem a decision: the asker or an admin. Refuses `forbidden`. */
export function mayPickUp(
  by: Caller,
  action: PickUp,
  { asked_by }: Pick<ApprovalView, 'asked_by'>,
): Ruling<true> {
  return authorize(by, action, { asker: asked_by });
}

/** Refuses what comes after the end with `approval_decided`; the state says how it ended. */
export function checkUndecided({ status, resolution }: ApprovalView): Ruling<true> {
  if (resolution === undefined) return ok(true);
  const { respondent, resolved_at } = resolution;
  return refuse('approval_decided', `The approval is ${status}.`, {
    state: { status, resolved_at, ...defined({ respondent }) },
  });
}
