import type { JsonObject } from './json.js';

/** What can happen in a suspension's life, as its timeline tells it. */
export type TimelineKind =
  | 'opened'
  | 'attempt'
  | 'attempt_skipped'
  | 'delivered'
  | 'delivery_failed'
  | 'delivery_superseded'
  | 'answer_accepted'
  | 'answer_rejected'
  | 'expired'
  | 'cancelled';

/** One entry of a suspension's timeline; `sequence` starts at 1 and has no gaps. */
export interface TimelineEntry {
  readonly sequence: number;
  readonly at: string;
  readonly kind: TimelineKind;
  readonly detail: JsonObject;
}
