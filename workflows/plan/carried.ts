import type { Announcement, IntentVersion } from '../../contracts/graph/announcement.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { PlanDuty, PlanState } from '../../domain/plan/state.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedBase } from '../engine/run.js';
import type { CarriedGates } from './gates.js';
import type { PlanInput } from './messages.js';

/** What starts a run of a plan. */
export type PlanRun = PlanInput & { readonly carried?: CarriedPlan };

/** An announcement of its intent, as far as it decides who writes, and why it ended if it has. */
export type HeardIntent = Pick<Announcement, keyof IntentVersion | 'guard'> & {
  readonly ended?: string;
};

/** State that outlives a run. The plan and its members are where every run has them. */
export interface CarriedPlan extends CarriedBase {
  readonly state: Omit<PlanState, 'plan' | 'members'>;
  readonly gates: CarriedGates;
  readonly duties: readonly PlanDuty[];
  readonly observing: CarriedWishes;
  /** What its intent announced last. */
  readonly intent?: HeardIntent;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

/** The state with which a run begins. */
export function stateOf({ plan, members, carried }: PlanRun): PlanState {
  return { revision: 1, ...carried?.state, plan, members };
}

/** What the next run starts with; the tasks have been started. */
export function nextRunOf(
  input: PlanInput,
  { plan, members, ...state }: PlanState,
  kept: Omit<CarriedPlan, 'state'>,
): PlanRun {
  return { ...input, plan, members, children: [], carried: { state, ...kept } };
}
