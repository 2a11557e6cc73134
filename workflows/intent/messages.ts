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
import type { QuestionFindings, SuspensionDraft } from '../../contracts/suspension/suspension.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { AccessChange } from '../../domain/policy/access-list.js';
import type { Action } from '../../domain/policy/rules.js';
import type { LogStart } from '../engine/messages.js';

/** The input of an intent: its first record, made by `domain/intent/entity.ts`. */
export interface IntentInput extends LogStart {
  readonly intent: Intent;
  /** Hash of the creating body under its Idempotency-Key, to recognise a repeated request. */
  readonly creation_hash?: string;
  /**
   * The sender writes the first rows, which it reads by `leftRows`. A task that only leaves rows may be joined with
   * the next one, so the first event has the instant of the record.
   */
  readonly sender_writes?: true;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  /** Informs this many observers by one activity; only tests set it. */
  readonly announcement_batch?: number;
}

/** A write through the OpenIntent API may ask a question, and says so. */
export interface AskingInput extends Sent {
  readonly openintent_ask?: true;
  /** The API's findings about the question, in sentences. */
  readonly warnings?: readonly string[];
}

/** Reports that the sender's question, for which the intent waits, was refused. `reason` is a sentence. */
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
  /** Replaces a state write: the governance policy to keep, or null for none. */
  readonly governance?: JsonObject | null;
}
/** `hold` belongs to the event of a coordinator. Under a `key` an event is appended once, in any run. */
export interface AppendEventInput extends Sent, Tracing, Omit<IntentNote, 'key' | 'intent_id'> {
  readonly key?: string;
  readonly action?: Action;
  /** A client posts it itself: it may claim what the server also writes, and has no effect. */
  readonly posted?: true;
}
/** A change of the access list; its times are those of the sending server. */
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
export type ErasureInput = Sent;
export interface SuspendInput extends Sent {
  readonly draft: SuspensionDraft;
  readonly findings?: QuestionFindings;
  readonly request?: RequestKey;
  /** The store does not know the request key, which the intent may have dropped. */
  readonly is_new?: true;
  readonly sender_writes?: true;
  /** The hash of the intent's last event that the sender wrote to the store before. */
  readonly stored_head?: string;
}
/** `reattached`: the request_key had opened this suspension before. */
export interface SuspendReceipt {
  readonly suspension_id: string;
  readonly reattached: boolean;
  /** Absent if re-attached: read the suspension itself. */
  readonly view?: LiveView;
  /** The rows that the sender must write. */
  readonly rows?: readonly JournalRow[];
}
/** Adds or removes the dependency `dependency_id`. */
export interface DependencyInput extends Sent {
  readonly if_match: number;
  readonly dependency_id: string;
}
/** The input of a child, whose first record names its parent. */
export interface ChildInput extends Pick<IntentInput, 'intent' | 'creation_hash' | 'log_key'> {
  readonly by: Caller;
}
export interface EngagementInput extends Sent {
  readonly signals: EngagementSignals;
}

/**
 * The result of a write. An intent over 256 KiB is omitted (no Update result may be larger); the caller then reads it
 * with the `intent` Query.
 */
export interface IntentWritten {
  readonly version: number;
  readonly last_sequence: number;
  readonly intent?: Intent;
  readonly withdrew?: string;
}

/** The result of an intent's first task, for the sender that starts it. */
export interface IntentCreated {
  readonly creation_hash?: string;
  /** Absent if the intent is over 256 KiB. */
  readonly intent?: Intent;
  /** The rows that the sender must write. */
  readonly rows: readonly JournalRow[];
}

export interface IntentSnapshot {
  readonly intent: Intent;
  readonly last_sequence: number;
  readonly creation_hash?: string;
}

/** Sent with the start of an intent, without an effect: its result says that the first task is done. */
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
/** The store checks for cycles after the Update is accepted, so its refusal is a result. */
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
/** Sent by a task or a plan of this intent: an event for its log. */
export const planEventSignal = defineSignal<[EventDraft]>('planEvent');
export const intentQuery = defineQuery<IntentSnapshot>('intent');
/**
 * The rows left to the last sender; empty if the intent is about to write them.
 *
 * @param after - the hash of the event up to which the store has them; all without one
 */
export const leftRowsQuery = defineQuery<readonly JournalRow[], [after?: string | undefined]>(
  'leftRows',
);
export const leasesQuery = defineQuery<readonly Lease[]>('leases');
