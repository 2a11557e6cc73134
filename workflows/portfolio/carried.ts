import type { JournalRow } from '../../contracts/journal.js';
import type { LogEnd } from '../engine/messages.js';
import type { CarriedObservers } from '../engine/observers.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { CarriedDeadline } from './deadline.js';
import type { CarriedMember } from './members.js';
import type { PortfolioInput } from './messages.js';

/** What starts a run of a portfolio. */
export type PortfolioRun = PortfolioInput & { readonly carried?: CarriedPortfolio };

/** State that outlives a run; instants only, no durations. */
export interface CarriedPortfolio extends LogEnd, CarriedDeadline, CarriedCancellation {
  readonly members: readonly CarriedMember[];
  readonly observers?: CarriedObservers;
  readonly wishes: CarriedWishes;
  readonly unwritten: readonly JournalRow[];
}
