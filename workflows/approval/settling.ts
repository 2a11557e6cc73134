import { patched } from '@temporalio/workflow';
import type { ApprovalPlan } from '../../contracts/approval-judging.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { tierSettled } from '../../domain/approval/state.js';
import type { ApprovalState } from '../../domain/approval/state.js';
import { CHECKS_QUESTIONS } from './carried.js';

/** Takes in how the question to a tier has ended, with what a run has to know that checks the copies in questions. */
export function settleTier(
  state: ApprovalState,
  plan: ApprovalPlan,
  record: SettledRecord,
): ApprovalState {
  const { decided_in, ...rest } = tierSettled(state, plan, record);
  return { ...rest, ...(decided_in && patched(CHECKS_QUESTIONS) && { decided_in }) };
}
