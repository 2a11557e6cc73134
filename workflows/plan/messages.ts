import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { JournalRow } from '../../contracts/journal.js';
import type { PatchPlanRequest, Plan } from '../../contracts/plan.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { Member, PlanDuty, PlanRecord, PlanState } from '../../domain/plan/state.js';
import type { Gate } from '../../domain/plan/task-state.js';
import type { TaskInput } from '../task/messages.js';
import type { CarriedCancellation } from '../engine/run.js';

/** What starts a plan. */
export interface PlanInput {
  readonly plan: PlanRecord;
  /** Every task, those that the plan starts and those that exist. */
  readonly members: readonly Member[];
  /** The tasks that the plan starts, each after those it depends on. */
  readonly children: readonly TaskInput[];
  /** Hash of the creating body under its Idempotency-Key, to recognise the same request. */
  readonly creation_hash?: string;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  readonly carried?: CarriedPlan;
}

/** State that outlives a run. */
export interface CarriedPlan extends CarriedCancellation {
  readonly state: PlanState;
  /** By task id, as it was told last. */
  readonly gates: readonly (readonly [task_id: string, gate: Gate])[];
  readonly duties: readonly PlanDuty[];
  readonly following: readonly string[];
  readonly untold_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

export interface PatchPlanInput {
  readonly actor: string;
  readonly if_match: number;
  readonly state?: PatchPlanRequest['state'];
  /** Tasks that exist, to be added. */
  readonly members: readonly Member[];
  /** With their ids, in place of those that were not reached yet. */
  readonly checkpoints?: PlanRecord['checkpoints'];
}

/** A new task that the plan is to start. */
export interface AddTaskInput {
  readonly child: TaskInput;
  readonly member: Member;
}

/** The plan, and the hash under which it was created. */
export interface PlanSnapshot {
  readonly plan: Plan;
  readonly creation_hash?: string;
}

export const patchPlanUpdate = defineUpdate<Plan, [PatchPlanInput]>('patchPlan');
export const addTaskUpdate = defineUpdate<undefined, [AddTaskInput]>('addTask');
export const planQuery = defineQuery<PlanSnapshot>('plan');
