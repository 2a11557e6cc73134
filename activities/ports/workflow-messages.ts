import type { Announced, Unreached } from '../../contracts/graph/announcement.js';
import type { IntentNote, OwnQuestion } from '../../contracts/intent/intent.js';
import type { DueDeadline } from '../../contracts/portfolio/portfolio.js';

/** Whether a workflow took a Signal: if not, it is closed or missing, or takes no more for now. */
export type Taken = 'taken' | keyof Unreached;

/** Messages to other workflows. The signals of a deadline throw where the workflow takes no more for now. */
export interface WorkflowMessages {
  readonly announce: (observer: string, announcement: Announced) => Promise<Taken>;
  readonly observe: (intentId: string, observer: string) => Promise<Taken>;
  readonly wake: (workflowId: string, upTo: number) => Promise<Taken>;
  /** Has a subscription deliver again what comes after a position of the feed. */
  readonly goBack: (workflowId: string, to: number) => Promise<Taken>;
  /** True where the question takes it or is over, false where it is not there. */
  readonly expireQuestion: (suspensionId: string, deadline: DueDeadline) => Promise<boolean>;
  /** False where the intent is closed or missing. */
  readonly expireIntent: (intentId: string, deadline: DueDeadline) => Promise<boolean>;
  /** Appends an event to the log of an intent, once under its key; false for an intent that takes none, such as a closed one. */
  readonly appendEvent: (note: IntentNote) => Promise<boolean>;
  /** Suspends an intent with a question, once under a key; returns its id, or undefined for an intent that cannot be suspended. */
  readonly askOn: (key: string, question: OwnQuestion) => Promise<string | undefined>;
}
