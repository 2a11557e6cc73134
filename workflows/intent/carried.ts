import type { Lease } from '../../contracts/intent.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { LogEnd } from '../engine/messages.js';
import type { CarriedObservers } from '../engine/observers.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { CarriedDependencies } from './dependencies.js';
import type { IntentInput } from './messages.js';
import type { CarriedEvents } from './recorded-events.js';
import type { CarriedWaiting } from './waiting.js';

/** What starts a run of an intent. */
export type IntentRun = IntentInput & { readonly carried?: CarriedIntent };

/** State that outlives a run; instants only, no durations. */
export interface CarriedIntent
  extends Partial<LogEnd>, CarriedWaiting, CarriedEvents, CarriedCancellation {
  readonly leases: readonly Lease[];
  readonly active?: ActiveSuspension;
  readonly request_keys: readonly UsedRequestKey[];
  readonly unwritten: readonly JournalRow[];
  readonly observers?: CarriedObservers;
  readonly dependencies?: CarriedDependencies;
}

/** A request_key that was used, with the hash of its question. */
export interface UsedRequestKey {
  readonly key: string;
  readonly body_hash: string;
  readonly suspension_id: string;
}

/** The open suspension as its intent knows it. */
export interface ActiveSuspension {
  readonly suspension_id: string;
  /** Sequence of the last report that was taken in; repeats are ignored. */
  readonly report_sequence: number;
  /** The agent that posts attempts itself, so that the log names it whichever side comes first. */
  readonly agent?: string;
  /** Set while an abandonment waits for the question to be withdrawn. */
  readonly abandoning?: { readonly actor: string; readonly reason?: string };
}
