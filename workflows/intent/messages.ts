import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Caller, Sent } from '../../contracts/people/caller.js';
import type {
  EngagementDecision,
  EngagementSignals,
} from '../../contracts/suspension/engagement.js';
import type { IntentErasure } from '../../contracts/log/erasure.js';
import type { IntentEvent, Tracing } from '../../contracts/intent/event.js';
import type {
  Intent,
  IntentNote,
  Lease,
  StatePatch,
  StatusRequest,
} from '../../contracts/intent/intent.js';
import type { JournalRow, RequestKey } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { QuestionFindings } from '../../contracts/suspension/findings.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { AccessChange } from '../../domain/policy/access-list.js';
import type { Action } from '../../domain/policy/rules.js';
import type { LogStart } from '../engine/messages.js';

/** What starts an intent: its first record, made by `domain/intent/entity.ts`. */
export interface IntentInput extends LogStart {
  readonly intent: Intent;
  /** Hash of the creating body under its Idempotency-Key, to recognise the same request. */
  readonly creation_hash?: string;
  /**
   * Who starts the intent writes its first rows, which it reads by `leftRows`. A task that only leaves rows may be joined with
   * the next one, so the first event is of the instant of the record.
   */
  readonly sender_writes?: true;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  /** Tells so many observers by one activity; only tests set it. */
  readonly announcement_batch?: number;
}

/** A write through the OpenIntent API may ask a question, and says so. */
export interface AskingInput extends Sent {
  readonly openintent_ask?: true;
  /** What the API has found about the question, in sentences. */
  readonly warnings?: readonly string[];
}

/** A question of the sender was refused, for which the intent waits. `reason` says why, in a sentence. */
export interface RefusedAskInput extends Sent {
  readonly if_match: number;
  readonly reason: string;
}
/** `if_match` is the version the caller read. */
export interface SetStatusInput extends StatusRequest, AskingInput {
  readonly if_match: number;
}
export interface PatchStateInput extends AskingInput {
  readonly if_match: number;
  readonly patches: readonly StatePatch[];
  /** Takes the place of a state write: the governance policy to keep, or null for none. */
  readonly governance?: JsonObject | null;
}
/** `hold` comes with the event of a coordinator; under a `key` an event is appended once, whichever run. */
export interface AppendEventInput extends Sent, Tracing, Omit<IntentNote, 'key' | 'intent_id'> {
  readonly key?: string;
  /** The operation that the server records by it. */
  readonly action?: Action;
  /** A client posts it by itself: it may claim what the server writes too, and decides nothing. */
  readonly posted?: true;
}
/** A change of the access list, with times of the server that sends it. */
export interface AccessInput extends Sent {
  readonly change: AccessChange;
}
export interface AcquireLeaseInput extends Sent {
  readonly scope: string;
  readonly duration_seconds: number;
}
export interface ReleaseLeaseInput extends Sent {
  readonly lease_id: string;
}
export interface RenewLeaseInput extends ReleaseLeaseInput {
  readonly duration_seconds: number;
}
/** Erases what was written about the intent. */
export type ErasureInput = Sent;
/** Opens a question. */
export interface SuspendInput extends Sent {
  readonly draft: SuspensionDraft;
  readonly findings?: QuestionFindings;
  readonly request?: RequestKey;
  /** The store does not know the key of the request, which the intent may have forgotten. */
  readonly is_new?: true;
  /** The sender writes the rows that come with the receipt. */
  readonly sender_writes?: true;
  /** The hash of the last event of the intent that it has written to the store before. */
  readonly stored_head?: string;
}
/** `reattached`: the request_key had opened this suspension before. */
export interface SuspendReceipt {
  readonly suspension_id: string;
  readonly reattached: boolean;
  /** Absent on re-attaching: read the suspension itself. */
  readonly view?: LiveView;
  /** What is left to the sender to write. */
  readonly rows?: readonly JournalRow[];
}
/** `dependency_id` is to be depended on, or no longer. */
export interface DependencyInput extends Sent {
  readonly if_match: number;
  readonly dependency_id: string;
}
/** A child as it starts: its first record names its parent. */
export interface ChildInput extends Pick<IntentInput, 'intent' | 'creation_hash' | 'log_key'> {
  readonly by: Caller;
}
export interface EngagementInput extends Sent {
  readonly signals: EngagementSignals;
}

/**
 * What a write did. The intent itself is left out where it is over 256 KiB (no Update result may be
 * larger); the caller then reads it with the `intent` Query.
 */
export interface IntentWritten {
  readonly version: number;
  readonly last_sequence: number;
  readonly intent?: Intent;
  /** The question that the write withdrew. */
  readonly withdrew?: string;
}

/** What comes with the first task of an intent, for whoever starts it. */
export interface IntentCreated {
  readonly creation_hash?: string;
  /** As far as the intent is not over 256 KiB. */
  readonly intent?: Intent;
  /** What is left to the sender to write. */
  readonly rows: readonly JournalRow[];
}

/** The intent and how far its log has come. */
export interface IntentSnapshot {
  readonly intent: Intent;
  readonly last_sequence: number;
  readonly creation_hash?: string;
}

/** Comes with the start of an intent, and changes nothing: its result says that the first task is done. */
export const createdUpdate = defineUpdate<IntentCreated, [Sent]>('created');
export const setStatusUpdate = defineUpdate<IntentWritten, [SetStatusInput]>('setStatus');
export const patchStateUpdate = defineUpdate<IntentWritten, [PatchStateInput]>('patchState');
export const appendEventUpdate = defineUpdate<IntentEvent, [AppendEventInput]>('appendEvent');
export const endRefusedAskUpdate = defineUpdate<IntentWritten, [RefusedAskInput]>('endRefusedAsk');
export const acquireLeaseUpdate = defineUpdate<Lease, [AcquireLeaseInput]>('acquireLease');
export const renewLeaseUpdate = defineUpdate<Lease, [RenewLeaseInput]>('renewLease');
export const releaseLeaseUpdate = defineUpdate<Lease, [ReleaseLeaseInput]>('releaseLease');
export const suspendUpdate = defineUpdate<SuspendReceipt, [SuspendInput]>('suspend');
export const engagementUpdate = defineUpdate<EngagementDecision, [EngagementInput]>('engagement');
/** The store rules on cycles after the Update is accepted, so that its refusal is a result. */
export const addDependencyUpdate = defineUpdate<Ruling<IntentWritten>, [DependencyInput]>(
  'addDependency',
);
export const removeDependencyUpdate = defineUpdate<IntentWritten, [DependencyInput]>(
  'removeDependency',
);
export const createChildUpdate = defineUpdate<'started' | 'exists', [ChildInput]>('createChild');
export const accessUpdate = defineUpdate<IntentWritten, [AccessInput]>('access');
export const erasePersonalDataUpdate = defineUpdate<IntentErasure, [ErasureInput]>(
  'erasePersonalData',
);
/** From a task or a plan of this intent: an event for its log. */
export const planEventSignal = defineSignal<[EventDraft]>('planEvent');
export const intentQuery = defineQuery<IntentSnapshot>('intent');
/**
 * The rows that are left to whoever wrote last to the intent; none that the intent is about to write.
 *
 * @param after - the hash of the event up to which the store has them; all without one
 */
export const leftRowsQuery = defineQuery<readonly JournalRow[], [after?: string | undefined]>(
  'leftRows',
);
export const leasesQuery = defineQuery<readonly Lease[]>('leases');
