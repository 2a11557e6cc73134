import type { JsonObject } from './json.js';
import type { Schedule } from './schedule.js';
import type { SuspensionRecord } from './suspension.js';
import type { TimelineEntry } from './timeline.js';

/** Where a suspension stands in its ladder. */
export interface SuspensionProgress {
  /** Latest attempt that was due; 1 from the start. */
  readonly attempt: number;
  readonly max_attempts: number;
  readonly next_attempt_at: string | null;
}

/** Body of `GET /v1/suspensions/{id}` and `…/wait`. */
export interface SuspensionView extends SuspensionProgress {
  readonly id: string;
  /** Null where no intent waits: a workflow of its agent does, or nobody but who polls. */
  readonly intent_id: string | null;
  readonly state: 'pending' | 'settled';
  /** The principal that asked. */
  readonly asked_by: string;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  readonly timeline: readonly TimelineEntry[];
}

/** Body of a 200 from `POST …/respond` (R25-73, R25-74). */
export interface RespondResult {
  readonly intent_id: string | null;
  readonly suspension_id: string;
  readonly resolution: 'responded';
  readonly value: SuspensionRecord['response'];
  readonly choice_label?: string;
  readonly choice_description?: string;
  readonly responded_by: string;
  readonly responded_at: string;
  readonly metadata?: JsonObject;
}
