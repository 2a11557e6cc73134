import type { Checkpoint } from '../contracts/plan.js';
import type { Ruling } from '../contracts/refusal.js';
import {
  evolvePlan,
  planThen,
  type Member,
  type PlanChange,
  type PlanState,
} from './plan-state.js';
import { follow, isPlanOver } from './plan.js';
import { ok, refuse } from './ruling.js';

/**
 * Adds tasks, and replaces the checkpoints that were not reached yet. Refuses `invalid_transition` where the
 * plan is over, and `invalid_plan` where it has one of the tasks, would have more than `most`, a checkpoint
 * names none of them, or two checkpoints have one id.
 */
export function addMembers(
  state: PlanState,
  added: readonly Member[],
  most: number,
  at: string,
  checkpoints?: readonly Checkpoint[],
): Ruling<PlanChange> {
  const { plan } = state;
  if (isPlanOver(plan.state)) {
    return refuse('invalid_transition', `The plan is ${plan.state}.`, {
      state: { plan_state: plan.state },
    });
  }
  const members = [...state.members, ...added];
  const ids = members.map(({ task_id }) => task_id);
  if (ids.length > most || new Set(ids).size < ids.length) {
    const accepted = `at most ${most} tasks, each of them once`;
    return refuse('invalid_plan', 'The plan cannot have these tasks.', {
      field: 'tasks',
      accepted,
    });
  }
  const kept = plan.checkpoints.filter(({ status }) => status !== 'pending');
  const next = checkpoints ? [...kept, ...checkpoints] : plan.checkpoints;
  const stray = next.find(({ after_task }) => !ids.includes(after_task));
  if (stray) {
    const extra = { field: 'checkpoints', accepted: ids.join(', ') || 'a task of the plan' };
    return refuse('invalid_plan', `${stray.after_task} is no task of the plan.`, extra);
  }
  const names = next.map(({ id }) => id);
  const twice = names.find((id, index) => names.indexOf(id) < index);
  if (twice !== undefined) {
    const extra = { field: 'checkpoints', accepted: 'each id once' };
    return refuse('invalid_plan', `Two checkpoints have the id ${twice}.`, extra);
  }
  const changed = evolvePlan({ ...state, members }, at, { tasks: ids, checkpoints: [...next] });
  return ok(planThen(changed, (known) => follow(known, at)));
}
