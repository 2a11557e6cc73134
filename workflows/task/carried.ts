import type { JournalRow } from '../../contracts/log/journal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { TaskState } from '../../domain/plan/task-state.js';
import { newTaskState } from '../../domain/plan/task.js';
import type { CarriedObservers } from '../engine/observers.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedBase } from '../engine/run.js';
import type { TaskInput } from './messages.js';

/** What starts a run of a task. */
export type TaskRun = TaskInput & { readonly carried?: CarriedTask };

/** State that outlives a run. The task, its dependencies and its rules are where every run has them. */
export interface CarriedTask extends CarriedBase {
  readonly state: Omit<TaskState, 'task' | 'upstream' | 'rules'>;
  readonly observers: CarriedObservers;
  /** Of its intent. */
  readonly observing: CarriedWishes;
  /** Of the tasks that it depends on. */
  readonly upstream: CarriedWishes;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

/** The state with which a run begins. */
export function stateOf({ task, upstream, rules, guard, carried }: TaskRun): TaskState {
  const start = newTaskState(task, upstream, rules, guard);
  return carried ? { ...start, ...carried.state } : start;
}

/** What the next run starts with. */
export function nextRunOf(
  input: TaskInput,
  { task, upstream, rules, ...state }: TaskState,
  kept: Omit<CarriedTask, 'state'>,
): TaskRun {
  return { ...input, task, upstream, rules, carried: { state, ...kept } };
}
