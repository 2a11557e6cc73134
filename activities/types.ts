import type { WorkflowType } from '../contracts/constants/names.js';
import type {
  AnnouncementBatch,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
  Observation,
  ObservationRequest,
  Unreached,
} from '../contracts/graph/announcement.js';
import type { JudgeCallsRequest, JudgedCall } from '../contracts/approval/judging.js';
import type {
  ApprovalNote,
  DecidedIn,
  FoundMutation,
  StoredProposal,
} from '../contracts/approval/log.js';
import type { Checkpoint } from '../contracts/log/checkpoint.js';
import type { DeadlineBatch } from '../contracts/portfolio/portfolio.js';
import type { IntentNote } from '../contracts/intent/intent.js';
import type { JournalRow } from '../contracts/log/journal.js';
import type { PreparedInput, StoredInput } from '../contracts/suspension/requests.js';
import type { Ruling } from '../contracts/kernel/problem.js';
import type { SavedSnapshot, StoredSnapshot } from '../contracts/approval/snapshot.js';
import type { TaskNews } from '../contracts/plan/task.js';
import type { Sight, Subscription } from '../contracts/subscription/subscription.js';
import type {
  DeliveryReceipt,
  NotificationRequest,
  RowBeside,
} from '../contracts/channel/notification.js';

/** A request to deliver events, with what the maker of the subscription saw when it made it. */
export interface EventDelivery extends Sight {
  readonly subscription: Subscription;
  /** The position in the feed after which to begin. */
  readonly after: number;
}

/** How far a turn of a subscription has come. */
export interface Delivered {
  readonly after: number;
  /** Whether it ended although there is more to deliver. */
  readonly more?: boolean;
}

/** How far the pump has passed the feed on. */
export interface Pumped {
  readonly after: number;
  /** Whether no subscription is active. */
  readonly idle: boolean;
}

/** The logs that retention is about to remove. */
export interface Marked {
  /** Whether a signed checkpoint has to name some of them first. */
  readonly signs: boolean;
}

/** What the reconciler looks at. */
export type LookedAt = Exclude<WorkflowType, 'subscription'>;

/** Something that the reconciler could not look at, or not repair. */
export interface Failed {
  readonly type: LookedAt;
  readonly id: string;
  readonly space: string;
}

/** The start of a run of the reconciler: an instant (ISO-8601), or everything that is open in the store. */
export interface ReconcileRequest {
  readonly since: string | null;
  /** The failures of the last run, with which this one begins. */
  readonly again?: readonly Failed[];
  /** What this look has done already, with the place where it goes on. */
  readonly so_far?: Reconciled;
  /** Cancels also questions whose workflow Temporal does not know. */
  readonly cancel_missing?: true;
}

/** Where a look has come to: a part of it, and what its source says of the page that was worked through last. */
export interface LookPlace {
  readonly stage: number;
  readonly after?: string;
}

/** The findings of one run of the reconciler, in numbers of questions and approvals unless said otherwise. */
export interface Reconciled {
  /** Whatever ended before this instant (ISO-8601) has been looked at. */
  readonly looked_until: string;
  /** Had an outcome that the store did not show. */
  readonly written: number;
  /** Had a workflow that ended without an outcome: they are cancelled, and intents, plans, tasks, portfolios and coordinators ended. */
  readonly lost: number;
  /** Have a workflow that Temporal does not know: they stay as they are. */
  readonly missing: number;
  /** Were open and not in the store: their workflows were told to write. */
  readonly unknown: number;
  /** Intents that the store lacked or had in an older state, which were told to write, and questions, which were brought up to date. */
  readonly behind: number;
  /** Had an outcome in the store that their open workflows had forgotten: it was handed in again. */
  readonly handed_in: number;
  /** Have ended in Temporal in another way than in the store, which keeps its outcome. Nobody repairs that. */
  readonly contradicted: number;
  /** What could not be checked or repaired: the next run begins with it. Absent if there is nothing. */
  readonly failed?: readonly Failed[];
  /** There while the look is not over: where it goes on. */
  readonly next?: LookPlace;
}

/** A kind of finding, by its name in the counts of a run. */
export type Finding = keyof Omit<Reconciled, 'looked_until' | 'next'>;

/** The activities that workflows call. Where a space can be named, it is otherwise that of the caller. */
export interface Activities {
  /** Writes rows to the store; a repeated batch has no effect. */
  writeJournal(rows: readonly JournalRow[]): Promise<void>;
  /** Delivers one notification, and writes the opening row of its question if it gets the `rest` of that. Throws as `notify.ts` says. */
  notify(request: NotificationRequest, beside?: RowBeside): Promise<DeliveryReceipt>;
  /**
   * Checks and completes the question of an agent's workflow. Throws non-retryable ApplicationFailures
   * whose type is an error code and whose first detail is the refusal.
   */
  prepareInput(request: unknown, space?: string): Promise<PreparedInput>;
  /** Judges the tool calls of an agent by the rules of the configuration, in their order. Throws as `prepareInput` does. */
  judgeToolCalls(request: JudgeCallsRequest, space?: string): Promise<readonly JudgedCall[]>;
  /** Stores the state of an agent before it waits, once. Throws as `prepareInput` does. */
  saveSnapshot(snapshot: StoredSnapshot, space?: string): Promise<SavedSnapshot>;
  /** Appends an event of an approval to the log of its intent, or to that of its run, also if the intent takes no more. */
  noteApproval(note: ApprovalNote): Promise<void>;
  /** Appends to the log of a run that its agent holds other calls than people have approved. */
  noteMutation(found: FoundMutation, space?: string): Promise<void>;
  /**
   * Reads the proposal of an approval, with its copies in questions that have ended; null if the store has none. Fails, to be
   * retried, while the store does not know yet how one of them was edited.
   */
  readProposal(approvalId: string, decidedIn: readonly DecidedIn[]): Promise<StoredProposal | null>;
  /**
   * Delivers a subscription's events in order, and waits some seconds for more. Throws
   * non-retryable ApplicationFailures `endpoint_gone` and `address_refused`.
   */
  deliverEvents(request: EventDelivery): Promise<Delivered>;
  /** Follows the feed for some minutes, and wakes the subscriptions that an event may be for. */
  wakeSubscriptions(request: { readonly after: number | null }): Promise<Pumped>;
  /**
   * Ends a question whose workflow is gone, and returns how the store has it then; null if the store does not have
   * it. A question whose workflow is there is returned as it is.
   */
  settleLost(suspensionId: string, space?: string): Promise<StoredInput | null>;
  /** Reads which intents joined and left a portfolio. Throws, to be retried, while the store has not reached `last_sequence`. */
  readMembers(request: MembershipRequest): Promise<MembershipPage>;
  /** Announces the state of an intent or portfolio to its observers; returns those that did not take it. */
  announce(batch: AnnouncementBatch): Promise<Unreached>;
  /** Asks intents to announce themselves to an observer; returns the stored state of those that are closed. */
  observeIntents(request: ObservationRequest): Promise<Observation>;
  /** Ends open questions for the deadline of a portfolio (R26-27). */
  expireQuestions(batch: DeadlineBatch): Promise<void>;
  /** Adds an edge to the graph; refuses `intent_not_found` and `dependency_cycle`. */
  linkDependency(edge: DependencyEdge): Promise<Ruling<true>>;
  /** Reads the stored state of tasks; a task that the store does not have is left out. */
  readTasks(taskIds: readonly string[]): Promise<readonly TaskNews[]>;
  /** Signs a checkpoint over the ends of all logs. Throws the non-retryable ApplicationFailure `checkpoints_not_configured`. */
  signCheckpoint(): Promise<Checkpoint>;
  /** Delivers every checkpoint that was not delivered yet, the oldest first. Throws if one is not taken. */
  deliverCheckpoints(): Promise<void>;
  /** Marks what ended long enough ago; nothing without the setting `retention.settled_days`. */
  markSettled(): Promise<Marked>;
  /** Removes what is marked, at most 200 rows a transaction. */
  removeMarked(): Promise<void>;
  /** Updates messages whose questions have ended or changed, for the better part of a minute. */
  tellOutcomes(): Promise<void>;
  /** Tells browsers of questions that came, for the better part of a minute. */
  sendPushes(): Promise<void>;
  /**
   * Writes the ends of questions and approvals that nobody wrote, and informs the workflows that wait for them. It works for some
   * minutes, and says where it goes on if there is more.
   */
  reconcile(request: ReconcileRequest): Promise<Reconciled>;
  /**
   * Asks the question of a note, once under its key, and returns its id. Without one, or where that intent cannot be suspended, appends
   * the event to the log of its intent; nothing to a closed intent.
   */
  noteIntent(note: IntentNote): Promise<string | null>;
}
