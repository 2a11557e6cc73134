import type { EntityKey } from '../../contracts/kernel/entity-key.js';
import type { EntityType } from '../../contracts/constants/names.js';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import type { LiveView } from '../../contracts/suspension/view.js';

/** Instants (ISO-8601); both ends belong to it. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** How far somebody has come in pages: a source that gets one begins there, and notes each page that was worked through. */
export interface Place {
  /** What the source noted last; undefined at the beginning. */
  readonly after: string | undefined;
  readonly reached: (after: string) => void;
}

/** How the workflow of a question has ended: with its result, `gone` without one, or `missing` in this Temporal. */
export type QuestionEnd =
  | {
      readonly kind: 'settled';
      readonly settlement: Settlement;
      /** The rows that the workflow had not written. */
      readonly rows: readonly JournalRow[];
    }
  | { readonly kind: 'gone' | 'missing' };

/** The kinds of workflow that leave rows to others, and can be told to write them. */
export type AskedToWrite = 'suspension' | 'intent' | 'approval';

/** How the workflow of an approval has ended, as `QuestionEnd` says it of a question. */
export type ApprovalEnd =
  | { readonly kind: 'decided'; readonly row: RowOf<'approval'> }
  | { readonly kind: 'gone' | 'missing' };

/** Approvals of all spaces as Temporal and the store have them; pages are of at most 200. */
export interface ApprovalReconciliation {
  /** The ones whose workflows ended in this time. */
  readonly endedIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Approvals that were asked for until an instant (ISO-8601) and wait in the store. */
  readonly openIn: (until: string, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Returns those of this page that the store lacks. */
  readonly notKnown: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** Returns the approvals of this page that are still undecided in the store. */
  readonly notDecided: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** Undefined while the workflow runs. */
  readonly endOf: (placed: EntityKey) => Promise<ApprovalEnd | undefined>;
  /** As the store has it. */
  readonly find: (placed: EntityKey) => Promise<ApprovalView | undefined>;
  /** Withdraws the questions that people could still answer for it. */
  readonly withdrawQuestions: (placed: EntityKey, reason: string) => Promise<void>;
  readonly writeRow: (row: RowOf<'approval'>, space: string) => Promise<void>;
  /** Appends to the log of its intent or of its run, once under the key of the note. */
  readonly note: (note: ApprovalNote, space: string) => Promise<void>;
}

/** Questions of all spaces whose workflow may have forgotten the outcome that the store has: Temporal was put back. */
export interface ForgottenOutcomes {
  /** Questions that were settled in this time, as the store has them, in pages of at most 200. */
  readonly settledIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Returns those of at most 200 questions that were settled in the store until an instant. */
  readonly settledOf: (page: readonly EntityKey[], until: string) => Promise<readonly EntityKey[]>;
  /** Returns those of at most 200 questions whose workflow runs. */
  readonly runningOf: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /**
   * Hands the stored outcome in again under its key, if the workflow has the question open; returns whether it did. Throws if no
   * worker says how the question stands, and if the stored outcome was erased.
   */
  readonly handIn: (question: EntityKey) => Promise<boolean>;
  /** Questions of which another outcome than the stored one was refused in this time, or until an instant; with their askers. */
  readonly contradicted: (
    range: TimeRange | string,
    place?: Place,
  ) => AsyncIterable<readonly Contradicted[]>;
}

/** A question that ended in Temporal in another way than in the store. */
export interface Contradicted extends EntityKey {
  readonly asked_by: string | null;
  /** The workflow of an agent that went on with the other outcome. */
  readonly waiting_workflow: string | null;
}

/** An intent, a plan, a task, a portfolio or a coordinator of any space. */
export interface PlacedEntity extends EntityKey {
  readonly type: EntityType;
}

/** What may have lost its workflow; pages are of at most 200. */
export interface LostEntities {
  /** The ones whose workflows ended in this time in another way than by completing. */
  readonly endedIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly PlacedEntity[]>;
  /** The ones that were made until an instant (ISO-8601), are open in the store, and whose workflows Temporal does not list as running. */
  readonly openIn: (until: string, place?: Place) => AsyncIterable<readonly PlacedEntity[]>;
  /** Returns those of this page that the store has and that have not ended there. */
  readonly stillOpen: (page: readonly PlacedEntity[]) => Promise<readonly PlacedEntity[]>;
  /** How the workflow ended; undefined while it runs, and after it has completed: it has written its end then. */
  readonly endOf: (placed: PlacedEntity) => Promise<'gone' | 'missing' | undefined>;
  /**
   * Ends one in the store at an instant (ISO-8601), with an event in its log, ends what it would have ended, and tells whoever
   * observes it. A lost intent that has ended there is told of again. Returns whether there was something to do.
   */
  readonly end: (placed: PlacedEntity, at: string) => Promise<boolean>;
}

/** Questions of all spaces as Temporal and the store have them. */
export interface Reconciliation {
  readonly approvals: ApprovalReconciliation;
  readonly forgotten: ForgottenOutcomes;
  readonly entities: LostEntities;
  /** Questions whose workflows ended in this time, in pages of at most 200. */
  readonly endedIn: (range: TimeRange, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Questions that were asked until an instant (ISO-8601) and are open in the store, in pages of at most 200. */
  readonly openIn: (until: string, place?: Place) => AsyncIterable<readonly EntityKey[]>;
  /** Questions, intents or approvals that were started in this time, or until an instant (ISO-8601), and whose workflows run. */
  readonly runningSince: (
    type: AskedToWrite,
    range: TimeRange | string,
    place?: Place,
  ) => AsyncIterable<readonly EntityKey[]>;
  /** Returns those of at most 200 questions that are not settled in the store. */
  readonly notSettled: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** Returns those of at most 200 questions whose opening the store lacks. */
  readonly notOpened: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** A question as its workflow has it, closed or not; undefined where nobody can ask it. */
  readonly lookUp: (question: EntityKey) => Promise<LiveView | undefined>;
  /** The progress of an open question, if the store shows less: a claim, comments, votes, an attempt. `no_worker` if none answers in time. */
  readonly progressOf: (question: EntityKey) => Promise<JournalRow | 'no_worker' | undefined>;
  /** Returns those of at most 200 intents that the store lacks. */
  readonly notCreated: (page: readonly EntityKey[]) => Promise<readonly EntityKey[]>;
  /** The intents of at most 200 questions that the store has as they were before their question was asked, or ended, until an instant. */
  readonly intentsBehind: (
    page: readonly EntityKey[],
    until: string,
  ) => Promise<readonly EntityKey[]>;
  /** Has an open question, an intent or an approval write what waits; returns false if its workflow is closed or missing. */
  readonly askToWrite: (type: AskedToWrite, placed: EntityKey) => Promise<boolean>;
  /** Undefined while the workflow of a question runs. */
  readonly endOf: (question: EntityKey) => Promise<QuestionEnd | undefined>;
  readonly writeRows: (rows: readonly JournalRow[], space: string) => Promise<void>;
  /** Counts again what waits for questions, where who moved the graph could not; calls `goOn` between two transactions. */
  readonly recountBlocks: (goOn: () => void) => Promise<void>;
  /** Reports the end of a question to the workflow that waits for it, if one does; what it knows changes nothing. */
  readonly tell: (outcome: LiveView, space: string) => Promise<void>;
  /** Whether an error says that Temporal or the store is away, and so nothing of the one question it came with. */
  readonly isAway: (error: unknown) => boolean;
}
