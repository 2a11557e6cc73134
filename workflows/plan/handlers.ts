import { setHandler } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import { addMembers } from '../../domain/plan/assembly.js';
import { changePlanState, checkPlanVersion, takeNews } from '../../domain/plan/plan.js';
import { planThen, planUnchanged, type PlanChange } from '../../domain/plan/state.js';
import { isNews } from '../../domain/plan/message-form.js';
import { demand, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { newsSignal } from '../engine/messages.js';
import { startTask } from './duties.js';
import type { PlanEntity } from './entity.js';
import { addTaskUpdate, patchPlanUpdate, planQuery, type PatchPlanInput } from './messages.js';

/** Writes of the plan, and what its tasks tell. */
export function registerPlanHandlers(entity: PlanEntity, creationHash: string | undefined): void {
  onWrite(
    entity,
    patchPlanUpdate,
    (input) => demand(patchOf(entity, input)),
    (input) => {
      const change = demand(patchOf(entity, input));
      entity.apply(() => change);
      entity.tasks.observe(...input.members.map(({ task_id }) => task_id));
      return entity.view;
    },
  );
  onWrite(
    entity,
    addTaskUpdate,
    ({ member }) => demand(addMembers(entity.state, [member], LIMITS.planTasks, entity.at)),
    uncancelled(async ({ child, member }) => {
      entity.apply(() => demand(addMembers(entity.state, [member], LIMITS.planTasks, entity.at)));
      await startTask(child);
      return undefined;
    }),
  );
  onSignal(newsSignal, isNews, (news) => {
    entity.apply((state) => takeNews(state, news, entity.at));
  });
  setHandler(planQuery, () => ({
    plan: entity.view,
    ...(creationHash !== undefined && { creation_hash: creationHash }),
  }));
}

function patchOf(entity: PlanEntity, input: PatchPlanInput): Ruling<PlanChange> {
  const { state, at } = entity;
  const current = checkPlanVersion(state.plan, input.if_match);
  if (!current.ok) return current;
  const { members, checkpoints, actor } = input;
  const changes = members.length > 0 || checkpoints !== undefined;
  const changed = changes
    ? addMembers(state, members, LIMITS.planTasks, at, checkpoints)
    : { ok: true as const, value: planUnchanged(state) };
  if (!changed.ok || input.state === undefined) return changed;
  const moved = changePlanState(changed.value.state, input.state, actor, at);
  if (!moved.ok) return moved;
  return { ok: true, value: planThen(changed.value, () => moved.value) };
}
