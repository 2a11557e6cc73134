import type { JournalRow } from '../../contracts/journal.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import type { TimelineEntry } from '../../contracts/suspension.js';
import type { SuspensionState } from '../../domain/suspension/state.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { SuspensionInput } from './messages.js';

/** What starts a run of a suspension. */
export type SuspensionRun = SuspensionInput & { readonly carried?: CarriedSuspension };

/** State that outlives a run; instants only, no durations. */
export interface CarriedSuspension extends CarriedCancellation {
  readonly state: SuspensionState;
  readonly timeline: readonly TimelineEntry[];
  readonly revision: number;
  readonly report_sequence: number;
  readonly unwritten: readonly JournalRow[];
  readonly undelivered: readonly NotificationRequest[];
}
