import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { ApprovalNote, StoredProposal } from '../../contracts/approval/log.js';
import type { Redeemed } from '../../contracts/approval/requests.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { CompleteRequest, RedeemRequest } from '../../domain/approval/running/redemption.js';
import type { StoredSnapshot } from '../../contracts/approval/snapshot.js';
import type {
  Announced,
  Announcement,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
  Unreached,
} from '../../contracts/graph/announcement.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { JournalRow, RefusedRow } from '../../contracts/log/journal.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import type { FeedRange } from '../../contracts/subscription/feed.js';
import type { Sight } from '../../contracts/subscription/subscription.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { Answering } from '../../domain/directory/known-people.js';
import type { IntentNote, OwnQuestion } from '../../contracts/intent/intent.js';
import type { DueDeadline } from '../../contracts/portfolio/portfolio.js';

export interface ActivityStore {
  /** Returns the rows that the store refused for good and set aside. */
  readonly writeRows: (rows: readonly JournalRow[]) => Promise<readonly RefusedRow[]>;
  /** Adds an edge to the graph in one transaction, or refuses it. */
  readonly linkDependency: (edge: DependencyEdge) => Promise<Ruling<true>>;
  /** Undefined as long as the store has not reached `last_sequence`. */
  readonly membershipChanges: (request: MembershipRequest) => Promise<MembershipPage | undefined>;
  /** Omits tasks that the store does not have. */
  readonly taskNews: (taskIds: readonly string[]) => Promise<readonly TaskNews[]>;
  /** The workflow ids of all subscriptions that have not ended, of every space. */
  readonly activeSubscriptions: () => Promise<readonly string[]>;
  /** The ids of the subscriptions that an event between two positions may be for. */
  readonly subscriptionsToWake: (
    range: Pick<FeedRange, 'after' | 'upTo'>,
  ) => Promise<readonly string[]>;
  /**
   * What a principal may see of events now, by each of its keys and tokens; empty if it can no longer sign in.
   * Undefined if unknown.
   */
  readonly presentSights: (principal: string) => Promise<readonly Sight[] | undefined>;
  readonly hasEnded: (subscriptionId: string) => Promise<boolean>;
  /** Who has a key that allows an answer, as last noted by an API; undefined if none was noted. */
  readonly answeringByKey: () => Promise<readonly Answering[] | undefined>;
  /** Notes that an event was withheld from a subscription, at an instant (ISO-8601). */
  readonly noteWithheld: (subscriptionId: string, at: string) => Promise<void>;
  /** Saves it once; returns when that was first done (ISO-8601). */
  readonly saveSnapshot: (snapshot: StoredSnapshot, at: string, space: string) => Promise<string>;
  /** Includes its copies in questions. Undefined if the store does not have the approval. */
  readonly storedProposal: (
    approvalId: string,
    questions: readonly string[],
  ) => Promise<StoredProposal | undefined>;
  /** Appends an event to the log of a run, once under its key; in the space of the calling workflow unless another is named. */
  readonly appendToRun: (note: ApprovalNote, salt: string, space?: string) => Promise<void>;
  readonly storedAnnouncement: (intentId: string) => Promise<Announcement | undefined>;
  readonly findApproval: (approvalId: string, space: string) => Promise<ApprovalView | undefined>;
  readonly findSuspension: (suspensionId: string, space: string) => Promise<LiveView | undefined>;
  /** Settles a suspension that is not settled yet; a settled one stays as it is. */
  readonly settleSuspension: (
    suspensionId: string,
    settlement: Settlement,
    space: string,
  ) => Promise<void>;
}

/** Whether a workflow accepted a Signal. Otherwise it is closed or missing, or accepts no more for now. */
export type Taken = 'taken' | keyof Unreached;

/** Messages to other workflows. The signals of a deadline throw if the workflow accepts no more for now. */
export interface WorkflowMessages {
  /** Both return undefined if the approval's workflow has ended, and throw refusals as non-retryable ApplicationFailures. */
  readonly redeemCall: (
    approvalId: string,
    space: string,
    input: RedeemRequest & { readonly by: Caller },
  ) => Promise<Redeemed | undefined>;
  readonly completeCall: (
    approvalId: string,
    space: string,
    input: CompleteRequest & { readonly by: Caller },
  ) => Promise<Redeemed | undefined>;
  /** Whether a workflow goes on in another run than this one. */
  readonly goesOn: (workflowId: string, runId: string) => Promise<boolean>;
  readonly announce: (observer: string, announcement: Announced) => Promise<Taken>;
  readonly observe: (intentId: string, observer: string) => Promise<Taken>;
  readonly wake: (workflowId: string, upTo: number) => Promise<Taken>;
  /** Makes a subscription deliver again what follows a position of the feed. */
  readonly goBack: (workflowId: string, to: number) => Promise<Taken>;
  /** True if the question accepts it or is over, false if it does not exist. */
  readonly expireQuestion: (suspensionId: string, deadline: DueDeadline) => Promise<boolean>;
  /** False if the intent is closed or missing. */
  readonly expireIntent: (intentId: string, deadline: DueDeadline) => Promise<boolean>;
  /**
   * Appends an event to the log of an intent, once under its key; false if the intent accepts none, for example
   * because it is closed.
   */
  readonly appendEvent: (note: IntentNote) => Promise<boolean>;
  /** Suspends an intent with a question, once under a key; returns its id, or undefined for an intent that cannot be suspended. */
  readonly askOn: (key: string, question: OwnQuestion) => Promise<string | undefined>;
}
