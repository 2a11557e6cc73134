import type { JournalRow } from '../../contracts/journal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { TaskState } from '../../domain/plan/task-state.js';
import type { CarriedObservers } from '../engine/observers.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { TaskInput } from './messages.js';

/** What starts a run of a task. */
export type TaskRun = TaskInput & { readonly carried?: CarriedTask };

/** State that outlives a run. */
export interface CarriedTask extends CarriedCancellation {
  readonly state: TaskState;
  readonly observers: CarriedObservers;
  /** Of its intent. */
  readonly observing: CarriedWishes;
  /** Of the tasks that it depends on. */
  readonly upstream: CarriedWishes;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}
