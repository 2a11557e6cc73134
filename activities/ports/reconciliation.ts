import type { EntityKey } from '../../contracts/kernel/primitives.js';
import type { EntityType } from '../../contracts/constants/names.js';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import type { LiveView } from '../../contracts/suspension/view.js';

/** Instants (ISO-8601); both ends are included. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** Progress through pages: a source that gets one begins there, and notes each page that was handled. */
export interface Place {
  /** What the source noted last; undefined at the start. */
  readonly after: string | undefined;
  readonly reached: (after: string) => void;
}

/** How a question's workflow ended: with its result, `gone` without one, or `missing` in this Temporal. */
export type QuestionEnd =
  | {
      readonly kind: 'settled';
      readonly settlement: Settlement;
      readonly rows: readonly JournalRow[];
    }
  | { readonly kind: 'gone' | 'missing' };

/** The kinds of workflow that leave rows for others to write, and that can be asked to write them. */
export type AskedToWrite = 'suspension' | 'intent' | 'approval';

/** How the workflow of an approval ended; see `QuestionEnd`. */
export type ApprovalEnd =
  | { readonly kind: 'decided'; readonly row: RowOf<'approval'> }
  | { readonly kind: 'gone' | 'missing' };

/** The approvals of all spaces in Temporal and in the store; pages have at most 200. */
export interface ApprovalReconciliation {
  /** Approvals whose workflows ended in this time. */
  readonly endedIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Approvals that were requested until an instant (ISO-8601) and wait in the store. */
  readonly openIn: (until: string, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  readonly notKnown: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** Returns the approvals of this page that are still undecided in the store. */
  readonly notDecided: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** Undefined while the workflow runs. */
  readonly endOf: (placed: EntityKey) => Promise<ApprovalEnd | undefined>;
  readonly find: (placed: EntityKey) => Promise<ApprovalView | undefined>;
  /** Withdraws the questions of an approval that people could still answer. */
  readonly withdrawQuestions: (placed: EntityKey, reason: string) => Promise<void>;
  readonly writeRow: (row: RowOf<'approval'>, space: string) => Promise<void>;
  /** Appends to the log of the approval's intent or run, once under the key of the note. */
  readonly note: (note: ApprovalNote, space: string) => Promise<void>;
}

/**
 * Questions of all spaces whose workflow may lack the outcome in the store, because Temporal was restored to an
 * earlier state.
 */
export interface ForgottenOutcomes {
  /** Questions that were settled in this time according to the store, in pages of at most 200. */
  readonly settledIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Returns which of at most 200 questions were settled in the store until an instant. */
  readonly settledOf: (page: readonly EntityKey[], until: string) => Promise<readonly EntityKey[]>;
  /** Returns which of at most 200 questions have a running workflow. */
  readonly runningOf: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /**
   * Sends the stored outcome to the workflow again under its key, if the question is open there; returns whether it
   * did. Throws if no worker answers, and if the stored outcome was erased.
   */
  readonly handIn: (question: EntityKey) => Promise<boolean>;
  /**
   * Questions for which an outcome other than the stored one was refused in this time, or until an instant; with
   * their askers.
   */
  readonly contradicted: (
    range: TimeRange | string,
    place?: Place,
  ) => AsyncIterable<readonly Contradicted[]>;
}

/** A question that ended differently in Temporal than in the store. */
export interface Contradicted extends EntityKey {
  readonly asked_by: string | null;
  readonly waiting_workflow: string | null;
}

/** An intent, a plan, a task, a portfolio or a coordinator of any space. */
export interface PlacedEntity extends EntityKey {
  readonly type: EntityType;
}

/** Entities that may have lost their workflow; pages have at most 200. */
export interface LostEntities {
  /** Entities whose workflows ended in this time other than by completing. */
  readonly endedIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly PlacedEntity[]>;
  /**
   * Entities created until an instant (ISO-8601) and open in the store, whose workflows Temporal does not list as
   * running.
   */
  readonly openIn: (until: string, place?: Place) => AsyncIterable<readonly PlacedEntity[]>;
  /** Returns the entities of this page that are open in the store. */
  readonly stillOpen: (page: readonly PlacedEntity[]) => Promise<readonly PlacedEntity[]>;
  /** How the workflow ended; undefined while it runs, and if it completed, because it has written its end then. */
  readonly endOf: (placed: PlacedEntity) => Promise<'gone' | 'missing' | undefined>;
  /**
   * Ends an entity in the store at an instant (ISO-8601), with an event in its log, ends what it would have ended,
   * and informs its observers. An intent that has ended there is announced again. Returns whether anything was done.
   */
  readonly end: (placed: PlacedEntity, at: string) => Promise<boolean>;
}

/** The questions of all spaces in Temporal and in the store. */
export interface Reconciliation {
  readonly approvals: ApprovalReconciliation;
  readonly forgotten: ForgottenOutcomes;
  readonly entities: LostEntities;
  /** Questions whose workflows ended in this time, in pages of at most 200. */
  readonly endedIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Questions that were asked until an instant (ISO-8601) and are open in the store, in pages of at most 200. */
  readonly openIn: (until: string, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /**
   * Questions, intents or approvals whose workflows run and were started in this time, or until an instant
   * (ISO-8601).
   */
  readonly runningSince: (
    type: AskedToWrite,
    range: TimeRange | string,
    place?: Place,
  ) => AsyncIterable<readonly EntityKey[]>;
  /** Returns which of at most 200 questions are not settled in the store. */
  readonly notSettled: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** Returns which of at most 200 questions have no opening in the store. */
  readonly notOpened: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** The state of a question in its workflow, closed or not; undefined if the workflow cannot be queried. */
  readonly lookUp: (question: EntityKey) => Promise<LiveView | undefined>;
  /**
   * The progress of an open question that the store lacks: a claim, comments, votes, an attempt. `no_worker` if none
   * answers in time.
   */
  readonly progressOf: (question: EntityKey) => Promise<JournalRow | 'no_worker' | undefined>;
  /** Returns which of at most 200 intents the store lacks. */
  readonly notCreated: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /**
   * The intents of at most 200 questions whose stored state is from before their question was asked, or ended, until
   * an instant.
   */
  readonly intentsBehind: (
    page: readonly EntityKey[],
    until: string,
  ) => Promise<readonly EntityKey[]>;
  /**
   * Makes the workflow of an open question, intent or approval write its pending rows; returns false if it is closed
   * or missing.
   */
  readonly askToWrite: (type: AskedToWrite, placed: EntityKey) => Promise<boolean>;
  /** Undefined while the workflow of a question runs. */
  readonly endOf: (question: EntityKey) => Promise<QuestionEnd | undefined>;
  readonly writeRows: (rows: readonly JournalRow[], space: string) => Promise<void>;
  /**
   * Reports the end of a question to the workflow that waits for it, if there is one. A repeated report changes
   * nothing.
   */
  readonly tell: (outcome: LiveView, space: string) => Promise<void>;
  /** Whether an error means that Temporal or the store is unavailable, rather than a problem with this question. */
  readonly isAway: (error: unknown) => boolean;
}
