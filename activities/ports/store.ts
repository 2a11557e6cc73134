import type { ApprovalNote, StoredProposal } from '../../contracts/approval/log.js';
import type { StoredSnapshot } from '../../contracts/approval/snapshot.js';
import type {
  Announcement,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
} from '../../contracts/graph/announcement.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { JournalRow, RefusedRow } from '../../contracts/log/journal.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import type { FeedRange } from '../../contracts/subscription/feed.js';
import type { Sight } from '../../contracts/subscription/subscription.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { Answering } from '../../domain/directory/known-people.js';

/** What activities read from the store and write to it: the store's queries, bound to a connection. */
export interface ActivityStore {
  /** Returns the rows that the store refused for good and set aside. */
  readonly writeRows: (rows: readonly JournalRow[]) => Promise<readonly RefusedRow[]>;
  /** Adds an edge to the graph in one transaction, or refuses it. */
  readonly linkDependency: (edge: DependencyEdge) => Promise<Ruling<true>>;
  /** Undefined as long as the store has not reached `last_sequence`. */
  readonly membershipChanges: (request: MembershipRequest) => Promise<MembershipPage | undefined>;
  /** Tasks that the store does not have are left out. */
  readonly taskNews: (taskIds: readonly string[]) => Promise<readonly TaskNews[]>;
  /** The ids of the workflows of all subscriptions that have not ended, of every space. */
  readonly activeSubscriptions: () => Promise<readonly string[]>;
  /** The ids of those that an event after a position, up to another, may be for. */
  readonly subscriptionsToWake: (
    range: Pick<FeedRange, 'after' | 'upTo'>,
  ) => Promise<readonly string[]>;
  /** What a principal sees of events now, by each of its keys and tokens; nothing if it can no longer sign in. Undefined if unknown. */
  readonly presentSights: (principal: string) => Promise<readonly Sight[] | undefined>;
  /** Whether a subscription is over. */
  readonly hasEnded: (subscriptionId: string) => Promise<boolean>;
  /** Who has a key that lets it answer something, as an API noted last; undefined if none has noted anything. */
  readonly answeringByKey: () => Promise<readonly Answering[] | undefined>;
  /** Notes that a subscription was not given an event, at an instant (ISO-8601). */
  readonly noteWithheld: (subscriptionId: string, at: string) => Promise<void>;
  /** Once; returns when that was first done (ISO-8601). */
  readonly saveSnapshot: (snapshot: StoredSnapshot, at: string, space: string) => Promise<string>;
  /** With its copies in questions. Undefined if the store does not have the approval. */
  readonly storedProposal: (
    approvalId: string,
    questions: readonly string[],
  ) => Promise<StoredProposal | undefined>;
  /** Appends an event to the log of a run, once under its key; in the space of the calling workflow unless another is named. */
  readonly appendToRun: (note: ApprovalNote, salt: string, space?: string) => Promise<void>;
  readonly storedAnnouncement: (intentId: string) => Promise<Announcement | undefined>;
  readonly findSuspension: (suspensionId: string, space: string) => Promise<LiveView | undefined>;
  /** Settles a suspension that nobody has settled before; another stays as it is. */
  readonly settleSuspension: (
    suspensionId: string,
    settlement: Settlement,
    space: string,
  ) => Promise<void>;
}
