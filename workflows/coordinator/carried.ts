import type { IntentNote } from '../../contracts/intent.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { CarriedMembership } from './membership.js';
import type { CoordinatorInput } from './messages.js';
import type { CarriedHolds, CarriedLastHeard } from './scope.js';

/** What starts a run of a coordinator. */
export type CoordinatorRun = CoordinatorInput & { readonly carried?: CarriedCoordinator };

/** State that outlives a run. */
export interface CarriedCoordinator extends CarriedCancellation {
  /** Questions that were escalated, newest last. */
  readonly escalated: readonly string[];
  readonly holds?: CarriedHolds;
  readonly last_heard?: CarriedLastHeard;
  readonly notes: readonly IntentNote[];
  readonly wishes: CarriedWishes;
  /** Of a portfolio. */
  readonly membership?: CarriedMembership;
  readonly unwritten: readonly JournalRow[];
}
