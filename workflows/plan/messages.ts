import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller, Sent } from '../../contracts/people/caller.js';
import type { PatchPlanRequest, Plan } from '../../contracts/plan/plan.js';
import type { Member, PlanRecord } from '../../domain/plan/state.js';
import type { TaskInput } from '../task/messages.js';

/** Who may write what belongs to an intent. */
export interface IntentGuard {
  readonly intent_id: string;
  readonly guard: Guarded;
}

/** What starts a plan. */
export interface PlanInput {
  readonly plan: PlanRecord;
  /** Every task, those that the plan starts and those that exist. */
  readonly members: readonly Member[];
  /** The tasks that the plan starts, each after those it depends on. */
  readonly children: readonly TaskInput[];
  /** Who may write it and its tasks, as their intents were read before, if those have access lists. */
  readonly guards?: readonly IntentGuard[];
  /** Hash of the creating body under its Idempotency-Key, to recognise the same request. */
  readonly creation_hash?: string;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

export interface PatchPlanInput extends Sent {
  readonly if_match: number;
  readonly state?: PatchPlanRequest['state'];
  /** Tasks that exist, to be added. */
  readonly members: readonly Member[];
  /** They replace the checkpoints that were not reached yet, and have their ids. */
  readonly checkpoints?: PlanRecord['checkpoints'];
}

/** A new task that the plan is to start. */
export interface AddTaskInput {
  readonly by: Caller;
  readonly child: TaskInput;
  readonly member: Member;
}

/** The plan, and the hash under which it was created. */
export interface PlanSnapshot {
  readonly plan: Plan;
  readonly creation_hash?: string;
}

/** Returns the plan, or nothing where it is over 256 KiB; it is then read by Query. */
export const patchPlanUpdate = defineUpdate<Plan | undefined, [PatchPlanInput]>('patchPlan');
export const addTaskUpdate = defineUpdate<undefined, [AddTaskInput]>('addTask');
export const planQuery = defineQuery<PlanSnapshot>('plan');
