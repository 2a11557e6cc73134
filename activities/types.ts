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
import type { PickUpRequest, PreparedApproval } from '../contracts/approval/by-name.js';
import type { Redeemed } from '../contracts/approval/requests.js';
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

/** A request to deliver events, with what the subscription's maker could see when making it. */
export interface EventDelivery extends Sight {
  readonly subscription: Subscription;
  /** The delivery starts after this position of the feed. */
  readonly after: number;
}

export interface Delivered {
  readonly after: number;
  /** Whether the turn ended although there is more to deliver. */
  readonly more?: boolean;
}

export interface Pumped {
  readonly after: number;
  /** Whether no subscription is active. */
  readonly idle: boolean;
}

export interface Marked {
  /** Whether a signed checkpoint has to name some of them before they are removed. */
  readonly signs: boolean;
}

export type LookedAt = Exclude<WorkflowType, 'subscription'>;

export interface Failed {
  readonly type: LookedAt;
  readonly id: string;
  readonly space: string;
}

/** Where a run of the reconciler starts: an instant (ISO-8601), or everything that is open in the store. */
export interface ReconcileRequest {
  readonly since: string | null;
  /** The failures of the last run; this one begins with them. */
  readonly again?: readonly Failed[];
  /** The progress of this look so far, with the place where it continues. */
  readonly so_far?: Reconciled;
  /** Also cancels questions whose workflow Temporal does not know. */
  readonly cancel_missing?: true;
}

/** The progress of a look: its stage, and the source's note about the last page handled. */
export interface LookPlace {
  readonly stage: number;
  readonly after?: string;
}

/** The findings of one run of the reconciler, as counts of questions and approvals unless said otherwise. */
export interface Reconciled {
  /** Everything that ended before this instant (ISO-8601) was checked. */
  readonly looked_until: string;
  /** Had an outcome that the store did not show; it was written. */
  readonly written: number;
  /**
   * Had a workflow that ended without an outcome: questions and approvals were cancelled, intents, plans, tasks,
   * portfolios and coordinators ended.
   */
  readonly lost: number;
  /** Have a workflow that Temporal does not know; they stay as they are. */
  readonly missing: number;
  /** Were open and not in the store: their workflows were asked to write. */
  readonly unknown: number;
  /**
   * Intents that the store lacked or had in an older state and that were asked to write, and questions that were
   * updated.
   */
  readonly behind: number;
  /** Had an outcome in the store that their open workflows lacked; it was handed in again. */
  readonly handed_in: number;
  /** Ended differently in Temporal than in the store, which keeps its outcome. Nothing repairs that. */
  readonly contradicted: number;
  /** What could not be checked or repaired; the next run begins with it. Absent if there is nothing. */
  readonly failed?: readonly Failed[];
  /** Where the look continues; absent once it is over. */
  readonly next?: LookPlace;
}

/** A kind of finding; names its count in `Reconciled`. */
export type Finding = keyof Omit<Reconciled, 'looked_until' | 'next'>;

/** The activities that workflows call. An optional `space` defaults to that of the caller. */
export interface Activities {
  /** Writes rows to the store; a repeated batch has no effect. */
  writeJournal(rows: readonly JournalRow[]): Promise<void>;
  /**
   * Delivers one notification. With `beside`, it also writes the opening row of the question. Throws as `notify.ts`
   * says.
   */
  notify(request: NotificationRequest, beside?: RowBeside): Promise<DeliveryReceipt>;
  /**
   * Checks and completes the question of an agent's workflow. Throws non-retryable ApplicationFailures
   * whose type is an error code and whose first detail is the refusal.
   */
  prepareInput(request: unknown, space?: string): Promise<PreparedInput>;
  /** Checks and completes the argument of `gate`. Throws as `prepareInput` does. */
  prepareApproval(request: unknown, space: string): Promise<PreparedApproval>;
  /** Redeems a decided call, and completes it if there is a result. Throws refusals as `prepareInput` does. */
  pickUpCall(request: PickUpRequest): Promise<Redeemed>;
  /** Judges the tool calls of an agent by the rules of the configuration, in their order. Throws as `prepareInput` does. */
  judgeToolCalls(request: JudgeCallsRequest, space?: string): Promise<readonly JudgedCall[]>;
  /** Stores the state of an agent before it waits, once. Throws as `prepareInput` does. */
  saveSnapshot(snapshot: StoredSnapshot, space?: string): Promise<SavedSnapshot>;
  /**
   * Appends an event of an approval to the log of its intent, or to that of its run, also if the intent accepts no
   * more.
   */
  noteApproval(note: ApprovalNote): Promise<void>;
  /** Appends to the log of a run that its agent holds other calls than those that people approved. */
  noteMutation(found: FoundMutation, space?: string): Promise<void>;
  /**
   * Reads the proposal of an approval, with its copies in questions that have ended; null if the store has none. Fails, to be
   * retried, while the store does not know yet how one of them was edited.
   */
  readProposal(approvalId: string, decidedIn: readonly DecidedIn[]): Promise<StoredProposal | null>;
  /**
   * Delivers a subscription's events in order, and waits some seconds for more. Throws non-retryable
   * ApplicationFailures `endpoint_gone` and `address_refused`.
   */
  deliverEvents(request: EventDelivery): Promise<Delivered>;
  /** Follows the feed for some minutes, and wakes the subscriptions that an event may be for. */
  wakeSubscriptions(request: { readonly after: number | null }): Promise<Pumped>;
  /**
   * Ends a question whose workflow is gone; returns its stored state then, or null if the store lacks it. A question
   * whose workflow exists is returned as it is.
   */
  settleLost(suspensionId: string, space?: string): Promise<StoredInput | null>;
  /** Whether a workflow goes on in another run than this one: it continued as new, or was retried. */
  goesOn(workflowId: string, runId: string): Promise<boolean>;
  /** Reads which intents joined and left a portfolio. Throws, to be retried, while the store has not reached `last_sequence`. */
  readMembers(request: MembershipRequest): Promise<MembershipPage>;
  /** Announces the state of an intent or portfolio to its observers; returns those that did not accept it. */
  announce(batch: AnnouncementBatch): Promise<Unreached>;
  /** Asks intents to announce themselves to an observer; returns the stored state of those that are closed. */
  observeIntents(request: ObservationRequest): Promise<Observation>;
  /** Ends open questions for the deadline of a portfolio (R26-27). */
  expireQuestions(batch: DeadlineBatch): Promise<void>;
  /** Adds an edge to the graph; refuses with `intent_not_found` or `dependency_cycle`. */
  linkDependency(edge: DependencyEdge): Promise<Ruling<true>>;
  /** Reads the stored state of tasks; omits tasks that the store does not have. */
  readTasks(taskIds: readonly string[]): Promise<readonly TaskNews[]>;
  /** Signs a checkpoint over the ends of all logs. Throws the non-retryable ApplicationFailure `checkpoints_not_configured`. */
  signCheckpoint(): Promise<Checkpoint>;
  /** Delivers every undelivered checkpoint, the oldest first. Throws if one is refused. */
  deliverCheckpoints(): Promise<void>;
  /** Marks what ended long enough ago; without the setting `retention.settled_days` it marks nothing. */
  markSettled(): Promise<Marked>;
  /** Removes what is marked, at most 200 rows a transaction. */
  removeMarked(): Promise<void>;
  /** Updates messages whose questions have ended or changed, for just under a minute. */
  tellOutcomes(): Promise<void>;
  /** Notifies browsers of new questions, for just under a minute. */
  sendPushes(): Promise<void>;
  /**
   * Writes the missing ends of questions and approvals, and informs the workflows that wait for them. It runs for
   * some minutes, and says where to continue if there is more.
   */
  reconcile(request: ReconcileRequest): Promise<Reconciled>;
  /**
   * Asks the question of a note, once under its key, and returns its id. Without a question, or if the intent cannot
   * be suspended, appends the event to the log of the intent; a closed intent gets nothing.
   */
  noteIntent(note: IntentNote): Promise<string | null>;
}
