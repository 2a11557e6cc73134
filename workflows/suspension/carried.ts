import type { JournalRow } from '../../contracts/log/journal.js';
import type { SuspensionState } from '../../domain/suspension/record/state.js';
import type { CarriedBase } from '../engine/run.js';
import type { CarriedDeliveries } from './deliveries.js';
import type { SuspensionInput } from './messages.js';
import type { CarriedTimeline } from './rows.js';

export type SuspensionRun = SuspensionInput & { readonly carried?: CarriedSuspension };

/** State that outlives a run; instants only, no durations. */
export interface CarriedSuspension extends CarriedBase, CarriedTimeline {
  readonly state: SuspensionState;
  readonly revision: number;
  readonly report_sequence: number;
  /** The subject is no longer in the run that asked, and gets every report by Signal. */
  readonly attached?: true;
  readonly unwritten: readonly JournalRow[];
  readonly undelivered: CarriedDeliveries;
}
