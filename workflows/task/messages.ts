import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Sent } from '../../contracts/people/caller.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { PatchTaskRequest, Task, TaskNews } from '../../contracts/plan/task.js';
import type { TaskOrder } from '../../domain/plan/task.js';
import type { Gate, TaskRules } from '../../domain/plan/task-state.js';
import type { Created } from '../engine/messages.js';

/** The input of a task: its first record, made by `domain/plan/task.ts`. */
export interface TaskInput extends Created {
  readonly task: Task;
  readonly upstream: readonly TaskNews[];
  readonly rules?: TaskRules;
  /** Who may write it, read from its intent before the start; the intent's announcements replace it. */
  readonly guard?: Guarded;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

export interface PatchTaskInput extends Sent {
  readonly if_match: number;
  readonly request: PatchTaskRequest;
  /** Accepts any status, for the OpenIntent API, which has no status machine. */
  readonly any_status?: boolean;
}

export interface ClaimTaskInput extends Sent {
  /** Keeps a premature claim until it can be granted. */
  readonly wait: boolean;
}

/** The result of a write. A task over 256 KiB is omitted, and is then read by Query. */
export interface TaskWritten {
  readonly version: number;
  readonly task?: Task;
}

/** For a claim that is not granted yet, it says why. */
export interface ClaimReceipt extends TaskWritten {
  readonly waits_for: Refusal | null;
}

export const patchTaskUpdate = defineUpdate<TaskWritten, [PatchTaskInput]>('patchTask');
export const claimTaskUpdate = defineUpdate<ClaimReceipt, [ClaimTaskInput]>('claimTask');
/** Sent by the plan. */
export const gateSignal = defineSignal<[Gate]>('gate');
/** Sent by the plan: retry, if this attempt is the one that failed; `granted` by an operator. */
export const retrySignal = defineSignal<[attempt: number, granted?: boolean]>('retry');
/** Sent by the plan. */
export const orderSignal = defineSignal<[TaskOrder]>('order');
export const taskQuery = defineQuery<Task>('task');
