import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller, Sent } from '../../contracts/people/caller.js';
import type { PatchPlanRequest, Plan } from '../../contracts/plan/plan.js';
import type { Member, PlanRecord } from '../../domain/plan/state.js';
import type { TaskInput } from '../task/messages.js';

export interface IntentGuard {
  readonly intent_id: string;
  readonly guard: Guarded;
}

export interface PlanInput {
  readonly plan: PlanRecord;
  readonly members: readonly Member[];
  /** The tasks that the plan starts, each after those it depends on. */
  readonly children: readonly TaskInput[];
  /** Who may write it and its tasks, read from their intents before the start, if those have access lists. */
  readonly guards?: readonly IntentGuard[];
  /** Hash of the creating body under its Idempotency-Key, to recognise a repeated request. */
  readonly creation_hash?: string;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

export interface PatchPlanInput extends Sent {
  readonly if_match: number;
  readonly state?: PatchPlanRequest['state'];
  readonly members: readonly Member[];
  /** They replace the pending checkpoints, and already have their ids. */
  readonly checkpoints?: PlanRecord['checkpoints'];
}

export interface AddTaskInput {
  readonly by: Caller;
  readonly child: TaskInput;
  readonly member: Member;
}

export interface PlanSnapshot {
  readonly plan: Plan;
  readonly creation_hash?: string;
}

/** Returns the plan, or undefined if it is over 256 KiB; it is then read by Query. */
export const patchPlanUpdate = defineUpdate<Plan | undefined, [PatchPlanInput]>('patchPlan');
export const addTaskUpdate = defineUpdate<undefined, [AddTaskInput]>('addTask');
export const planQuery = defineQuery<PlanSnapshot>('plan');
