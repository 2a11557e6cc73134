import type { Caller } from '../../contracts/people/caller.js';
import type { Checkpoint, PatchPlanRequest } from '../../contracts/plan/plan.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonEqual } from '../kernel/json.js';
import { ok } from '../kernel/ruling.js';
import type { AccessLevel } from '../policy/access-list.js';
import { authorize } from '../policy/authorize.js';
import type { PlanRecord } from './state.js';

interface PlanWrite {
  readonly state?: PatchPlanRequest['state'];
  readonly checkpoints?: readonly Checkpoint[];
}

/**
 * Judges who may write a plan. Agents may add checkpoints, but never remove or weaken them. Resuming a plan that asks
 * about a failed task withdraws the question, which only its maker or people may do. Refuses `forbidden`.
 *
 * @param access - what the access list of its intent lets the writer do
 */
export function checkPlanWriter(
  plan: PlanRecord,
  by: Caller,
  { state, checkpoints }: PlanWrite,
  access: AccessLevel,
): Ruling<true> {
  const loosens = checkpoints !== undefined && loosensCheckpoints(plan, checkpoints);
  const asks = plan.escalations.some(({ status }) => status === 'open');
  const cases = [
    ...(loosens ? (['loosensCheckpoints'] as const) : []),
    ...(asks && state === 'active' ? (['withdrawsQuestions'] as const) : []),
  ];
  const judged = cases.length > 0 ? cases : [undefined];
  const maker = plan.created_by;
  const rulings = judged.map((when) => authorize(by, 'patchPlan', { when, maker, access }));
  return rulings.find((ruling) => !ruling.ok) ?? ok(true);
}

/** Whether new checkpoints lack one of the pending ones, or demand less of it. Names and ids may change. */
function loosensCheckpoints(
  { checkpoints }: Pick<PlanRecord, 'checkpoints'>,
  next: readonly Checkpoint[],
): boolean {
  const left = [...next];
  return checkpoints.some((checkpoint) => {
    if (checkpoint.status !== 'pending') return false;
    const index = left.findIndex((one) => isAsStrict(one, checkpoint));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Other approvers or another time limit may be less strict; people judge that. */
function isAsStrict(next: Checkpoint, before: Checkpoint): boolean {
  if (next.after_task !== before.after_task) return false;
  if (!before.requires_approval) return true;
  return next.requires_approval && jsonEqual(demandsOf(next), demandsOf(before));
}

function demandsOf({ approvers, decision_rule = {}, timeout_hours, on_timeout }: Checkpoint) {
  return { approvers: [...approvers].sort(), decision_rule, timeout_hours, on_timeout };
}
