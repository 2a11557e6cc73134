import type { DependencyEdge } from '../graph/announcement.js';
import type { ApprovalPart, ApprovalView, Proposal } from '../approval/approval.js';
import type { HandedOverKind } from '../constants/events.js';
import type { Coordinator } from '../coordinator/coordinator.js';
import type { Eligible, Vote } from '../suspension/decision.js';
import type { IntentErasure } from './erasure.js';
import type { IntentEvent } from '../intent/event.js';
import type { Intent } from '../intent/intent.js';
import type { Plan } from '../plan/plan.js';
import type { Membership, Portfolio } from '../portfolio/portfolio.js';
import type { Schedule } from '../suspension/retry-policy.js';
import type { Subscription } from '../subscription/subscription.js';
import type { Claim, Delegates } from '../suspension/verbs.js';
import type { SuspensionProgress } from '../suspension/view.js';
import type {
  Settlement,
  SuspensionRecord,
  TimelineEntry,
  TimelineSeal,
} from '../suspension/suspension.js';
import type { Task } from '../plan/task.js';

/** Identifies an accepted answer, to recognise a repeated one. */
export interface AnswerKey {
  /** `r:<hash>` if the request had an Idempotency-Key, else `a:<random>`. */
  readonly key: string;
  readonly body_hash: string;
}

/** The people who replace those of the rule from this attempt on. */
export interface EligibilityChange {
  readonly eligible: Eligible;
  readonly attempt: number;
}

/** Identifies a question, to recognise a repeated one: the agent's `request_key`, and the hash of the request. */
export interface RequestKey {
  readonly key: string;
  readonly body_hash: string;
}

/**
 * A row that a workflow passes to the store. Rows have an id and a sequence, revision or version. Repeating a row
 * changes nothing, and a lower revision or version never overwrites a higher one.
 */
export type JournalRow =
  | { readonly kind: 'event'; readonly event: IntentEvent }
  /**
   * `last_sequence` and `head_hash` are those of the intent's newest event. `creation_hash`, here and below, is the
   * hash of a creating body with an Idempotency-Key.
   */
  | {
      readonly kind: 'intent';
      readonly intent: Intent;
      readonly last_sequence: number;
      readonly head_hash?: string | null;
      readonly creation_hash?: string;
    }
  | ({ readonly kind: 'dependency'; readonly present: boolean } & DependencyEdge)
  | {
      readonly kind: 'suspension_opened';
      readonly intent_id: string | null;
      readonly asked_by: string;
      /** The name under which it was asked, if different. */
      readonly asked_as?: string;
      /** The workflow of an agent that waits for the answer. */
      readonly waiting_workflow?: string;
      readonly record: SuspensionRecord;
      readonly schedule: Schedule;
      readonly request?: RequestKey;
    }
  | ({
      readonly kind: 'suspension_progress';
      readonly suspension_id: string;
      readonly revision: number;
      readonly votes?: readonly Vote[];
      /** The people who are eligible since an admin changed it. */
      readonly eligibility?: EligibilityChange;
      readonly approval?: ApprovalPart;
      /** The claim; it may have expired by now. */
      readonly claim?: Claim;
      readonly comment_count?: number;
      /** The question, if its agent has corrected it. */
      readonly amended?: Partial<SuspensionRecord>;
    } & Delegates &
      SuspensionProgress)
  | {
      readonly kind: 'suspension_settled';
      readonly suspension_id: string;
      readonly revision: number;
      readonly settlement: Settlement;
      readonly answer?: AnswerKey;
      readonly answers?: readonly AnswerKey[];
    }
  /** `last_sequence` and `head_hash` belong to the newest event of this portfolio. */
  | {
      readonly kind: 'portfolio';
      readonly portfolio: Portfolio;
      readonly last_sequence: number;
      readonly head_hash: string | null;
      readonly creation_hash?: string;
    }
  /** The membership as of a version of the portfolio. Null if the intent is no longer a member. */
  | {
      readonly kind: 'portfolio_member';
      readonly portfolio_id: string;
      readonly intent_id: string;
      readonly revision: number;
      readonly membership: Membership | null;
    }
  /** The revision also counts changes that do not change the version. */
  | {
      readonly kind: 'task';
      readonly task: Task;
      readonly revision: number;
      readonly creation_hash?: string;
    }
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      readonly revision: number;
      readonly creation_hash?: string;
    }
  | {
      readonly kind: 'coordinator';
      readonly coordinator: Coordinator;
      readonly creation_hash?: string;
    }
  /** `proposed` is the first version and never changes. */
  | {
      readonly kind: 'approval';
      readonly approval: ApprovalView;
      readonly proposed: Proposal;
      readonly revision: number;
    }
  /** Written when the subscription begins and when it ends. */
  | {
      readonly kind: 'subscription';
      readonly subscription: Subscription;
      readonly creation_hash?: string;
    }
  | {
      readonly kind: 'timeline';
      readonly suspension_id: string;
      readonly entry: TimelineEntry;
      readonly seal: TimelineSeal;
    }
  /** Orders the erasure of personal data: in an intent's events up to a sequence, and in its questions so far. */
  | ({ readonly kind: 'erasure' } & IntentErasure);

export type RowOf<K extends JournalRow['kind']> = Extract<JournalRow, { kind: K }>;

export type HandedOverRow = Extract<JournalRow, { kind: HandedOverKind }>;

export interface RefusedRow {
  readonly kind: JournalRow['kind'];
  /** The intent or portfolio of the row. */
  readonly intent_id: string | null;
  readonly suspension_id: string | null;
  /** Present in rows of an approval, and of questions that ask for one. */
  readonly approval_id?: string;
  /** The sequence of an event in its log. */
  readonly sequence: number | null;
  /** An SQLSTATE, or `conflict` if another event has the sequence. */
  readonly reason: string;
}

export interface WrittenRows {
  readonly rows: readonly JournalRow[];
  /** The rows that the store will never accept. */
  readonly refused: readonly RefusedRow[];
  /** The rows that opened or settled a question for the first time; repeated rows are not listed again. */
  readonly news: readonly JournalRow[];
}

export type JournalWatch = (written: WrittenRows) => void;
