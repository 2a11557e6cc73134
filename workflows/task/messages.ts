import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { JournalRow } from '../../contracts/journal.js';
import type { Refusal } from '../../contracts/problem.js';
import type { PatchTaskRequest, Task, TaskNews } from '../../contracts/task.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { TaskOrder } from '../../domain/plan/task.js';
import type { Gate, TaskRules, TaskState } from '../../domain/plan/task-state.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedCancellation } from '../engine/run.js';

/** What starts a task: its first record, made by `domain/task.ts`. */
export interface TaskInput {
  readonly task: Task;
  /** Each task that it depends on, as far as it is known. */
  readonly upstream: readonly TaskNews[];
  readonly rules?: TaskRules;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  readonly carried?: CarriedTask;
}

/** State that outlives a run. */
export interface CarriedTask extends CarriedCancellation {
  readonly state: TaskState;
  /** Workflow ids of those that are told of changes, and of those that have not been told the last. */
  readonly followers: readonly string[];
  readonly owed: readonly string[];
  readonly observing: CarriedWishes;
  /** Ids of tasks that were not yet asked to tell. */
  readonly following: readonly string[];
  readonly untold_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

export interface PatchTaskInput {
  readonly actor: string;
  readonly is_admin: boolean;
  readonly if_match: number;
  readonly request: PatchTaskRequest;
  /** Takes any status, for a door without a status machine. */
  readonly any_status?: boolean;
}

export interface ClaimTaskInput {
  /** The agent. */
  readonly actor: string;
  /** Keeps a claim that comes too early (AM-42). */
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
/** Tell this workflow (its id) what you are now, and after every change. */
export const followSignal = defineSignal<[follower: string]>('follow');
/** From a task to those that follow it. */
export const newsSignal = defineSignal<[TaskNews]>('news');
/** From the plan. */
export const gateSignal = defineSignal<[Gate]>('gate');
/** From the plan: try again, if this attempt is the one that failed; `granted` by an operator. */
export const retrySignal = defineSignal<[attempt: number, granted?: boolean]>('retry');
/** From the plan. */
export const orderSignal = defineSignal<[TaskOrder]>('order');
export const taskQuery = defineQuery<Task>('task');
