import { allHandlersFinished, condition } from '@temporalio/workflow';
import { changePlanState } from '../../domain/plan/plan.js';
import { finishSending, run } from '../engine/run.js';
import type { PlanRun } from './carried.js';
import { cancelTasks, doDuties } from './duties.js';
import { PlanEntity } from './entity.js';
import { registerPlanHandlers } from './handlers.js';
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
