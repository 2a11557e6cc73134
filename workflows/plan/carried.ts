import type { JournalRow } from '../../contracts/journal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { PlanDuty, PlanState } from '../../domain/plan/state.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { CarriedGates } from './gates.js';
import type { PlanInput } from './messages.js';

/** What starts a run of a plan. */
export type PlanRun = PlanInput & { readonly carried?: CarriedPlan };

/** State that outlives a run. */
export interface CarriedPlan extends CarriedCancellation {
  readonly state: PlanState;
  readonly gates: CarriedGates;
  readonly duties: readonly PlanDuty[];
  readonly observing: CarriedWishes;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}
