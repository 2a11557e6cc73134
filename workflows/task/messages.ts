import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Sent } from '../../contracts/people/caller.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { PatchTaskRequest, Task, TaskNews } from '../../contracts/plan/task.js';
import type { TaskOrder } from '../../domain/plan/task.js';
import type { Gate, TaskRules } from '../../domain/plan/task-state.js';
import type { Created } from '../engine/messages.js';

/** What starts a task: its first record, made by `domain/plan/task.ts`. */
export interface TaskInput extends Created {
  readonly task: Task;
  /** Each task that it depends on, as far as it is known. */
  readonly upstream: readonly TaskNews[];
  readonly rules?: TaskRules;
  /** Who may write it, as its intent was read before; what the intent announces takes its place. */
  readonly guard?: Guarded;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

export interface PatchTaskInput extends Sent {
  readonly if_match: number;
  readonly request: PatchTaskRequest;
  /** Takes any status, for the OpenIntent API, which has no status machine. */
  readonly any_status?: boolean;
}

/** The principal claims. */
export interface ClaimTaskInput extends Sent {
  /** Keeps a claim that comes too early, until it can be granted. */
  readonly wait: boolean;
}

/** What a write did; the task is left out where it is over 256 KiB, and is then read by Query. */
export interface TaskWritten {
  readonly version: number;
  readonly task?: Task;
}

/** A claim that is not granted yet says why. */
export interface ClaimReceipt extends TaskWritten {
  readonly waits_for: Refusal | null;
}

export const patchTaskUpdate = defineUpdate<TaskWritten, [PatchTaskInput]>('patchTask');
export const claimTaskUpdate = defineUpdate<ClaimReceipt, [ClaimTaskInput]>('claimTask');
/** From the plan. */
export const gateSignal = defineSignal<[Gate]>('gate');
/** From the plan: try again, if this attempt is the one that failed; `granted` by an operator. */
export const retrySignal = defineSignal<[attempt: number, granted?: boolean]>('retry');
/** From the plan. */
export const orderSignal = defineSignal<[TaskOrder]>('order');
export const taskQuery = defineQuery<Task>('task');
