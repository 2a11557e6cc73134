import type { JournalRow } from '../../contracts/log/journal.js';
import type { Lease } from '../../contracts/intent/intent.js';
import type { LogEnd } from '../engine/messages.js';
import type { CarriedObservers } from '../engine/observers.js';
import type { CarriedBase } from '../engine/run.js';
import type { ActiveSuspension, CarriedWaiting } from './waiting.js';
import type { CarriedDependencies } from './dependencies.js';
import type { CarriedErasure } from './forgetting.js';
import type { CarriedGovernance } from './governed.js';
import type { IntentInput } from './messages.js';
import type { CarriedEvents } from './recorded-events.js';
import type { CarriedRequestKeys } from './request-keys.js';

/** What starts a run of an intent. */
export type IntentRun = IntentInput & { readonly carried?: CarriedIntent };

/** State that outlives a run; instants only, no durations. */
export interface CarriedIntent
  extends LogEnd, CarriedWaiting, CarriedEvents, CarriedErasure, CarriedBase {
  readonly leases: readonly Lease[];
  readonly active?: ActiveSuspension;
  readonly request_keys: CarriedRequestKeys['request_keys'];
  readonly keys_forgotten?: true;
  readonly unwritten: readonly JournalRow[];
  readonly observers: CarriedObservers;
  readonly dependencies: CarriedDependencies;
  readonly governance?: CarriedGovernance;
}
