import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import { addMembers } from '../../domain/plan/assembly.js';
import { isNews } from '../../domain/plan/message-form.js';
import { changePlanState, checkPlanVersion, takeNews } from '../../domain/plan/plan.js';
import { planThen, planUnchanged } from '../../domain/plan/state.js';
import type { PlanChange } from '../../domain/plan/state.js';
import { demand, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { newsSignal } from '../engine/messages.js';
import { finishSending, run } from '../engine/run.js';
import type { PlanRun } from './carried.js';
import { cancelTasks, doDuties, startTask } from './duties.js';
import { PlanEntity } from './entity.js';
import { addTaskUpdate, patchPlanUpdate, planQuery } from './messages.js';
import type { PatchPlanInput } from './messages.js';
import { registerQuestions, withdrawQuestions } from './questions.js';

/**
 * The plan of an intent (RFC-0012 §2): starts a child workflow for each of its tasks, lets them become ready,
 * asks at its checkpoints, and observes; the suspension of a task's intent shows in its progress and never
 * in its state (RFC-0026 Rules 1 and 4).
 */
export async function plan(input: PlanRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new PlanEntity(input);
      registerPlanHandlers(entity, input.creation_hash);
      registerQuestions(entity);
      return entity;
    },
    work: doDuties,
    cancel(entity) {
      const cancelled = changePlanState(entity.state, 'cancelled', 'temporal', entity.at);
      if (cancelled.ok) entity.apply(() => cancelled.value);
    },
    async finish(entity) {
      await withdrawQuestions(entity);
      await condition(allHandlersFinished);
      await cancelTasks(entity);
      await finishSending(entity);
    },
  });
}

/** Writes of the plan, and what its tasks send. */
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
