import type { SubscriptionEnd } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { SubscriptionInput } from './messages.js';

/** What starts a run of a subscription. */
export type SubscriptionRun = SubscriptionInput & { readonly carried?: CarriedSubscription };

/** State that outlives a run. */
export interface CarriedSubscription extends CarriedCancellation {
  readonly after: number;
  /** Why it has ended, where that came while the run before handed over. */
  readonly ended?: SubscriptionEnd;
  readonly unwritten: readonly JournalRow[];
}
