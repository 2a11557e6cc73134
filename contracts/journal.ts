import type { DependencyEdge } from './announcement.js';
import type { HandedOverKind } from './constants/events.js';
import type { Coordinator } from './coordinator.js';
import type { IntentEvent } from './event.js';
import type { Intent } from './intent.js';
import type { Plan } from './plan.js';
import type { Membership, Portfolio } from './portfolio.js';
import type { Schedule } from './retry-policy.js';
import type { Subscription } from './subscription.js';
import type { SuspensionProgress } from './suspension-view.js';
import type { Settlement, SuspensionRecord, TimelineEntry } from './suspension.js';
import type { Task } from './task.js';

/** How an accepted answer is recognised when it is sent again (AM-47). */
export interface AnswerKey {
  /** `r:<hash>` with an Idempotency-Key, `a:<random>` without. */
  readonly key: string;
  readonly body_hash: string;
}

/**
 * What workflows hand to the store. Each row is idempotent by its id and sequence, revision or
 * version, so a batch may be written again; a lower revision or version never overwrites a higher.
 */
export type JournalRow =
  | { readonly kind: 'event'; readonly event: IntentEvent }
  /** `last_sequence` and `head_hash` are those of the newest event of this intent. */
  | {
      readonly kind: 'intent';
      readonly intent: Intent;
      readonly last_sequence: number;
      readonly head_hash?: string | null;
    }
  | ({ readonly kind: 'dependency'; readonly present: boolean } & DependencyEdge)
  | {
      readonly kind: 'suspension_opened';
      readonly intent_id: string | null;
      readonly asked_by: string;
      readonly record: SuspensionRecord;
      readonly schedule: Schedule;
    }
  | ({
      readonly kind: 'suspension_progress';
      readonly suspension_id: string;
      readonly revision: number;
    } & SuspensionProgress)
  | {
      readonly kind: 'suspension_settled';
      readonly suspension_id: string;
      readonly revision: number;
      readonly settlement: Settlement;
      readonly answer?: AnswerKey;
    }
  /** As for an intent. */
  | {
      readonly kind: 'portfolio';
      readonly portfolio: Portfolio;
      readonly last_sequence: number;
      readonly head_hash: string | null;
    }
  /** A membership as of a version of its portfolio; null once the intent is no member any more. */
  | {
      readonly kind: 'portfolio_member';
      readonly portfolio_id: string;
      readonly intent_id: string;
      readonly revision: number;
      readonly membership: Membership | null;
    }
  /** `revision` also counts changes that the version does not. */
  | { readonly kind: 'task'; readonly task: Task; readonly revision: number }
  | { readonly kind: 'plan'; readonly plan: Plan; readonly revision: number }
  | { readonly kind: 'coordinator'; readonly coordinator: Coordinator }
  /** Told when it begins and when it is over. */
  | { readonly kind: 'subscription'; readonly subscription: Subscription }
  | { readonly kind: 'timeline'; readonly suspension_id: string; readonly entry: TimelineEntry };

/** The rows of a suspension that its intent may hand to the store for it. */
export type HandedOverRow = Extract<JournalRow, { kind: HandedOverKind }>;
