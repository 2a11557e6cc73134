import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { EngagementDecision, EngagementSignals } from '../../contracts/engagement.js';
import type { IntentEvent } from '../../contracts/event.js';
import type {
  Intent,
  IntentNote,
  Lease,
  StatePatch,
  StatusRequest,
} from '../../contracts/intent.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import type { EventDraft } from '../../domain/intent/entity.js';

/** What starts an intent: its first record, made by `domain/intent.ts`. */
export interface IntentInput {
  readonly intent: Intent;
  /** Hash of the creating body under its Idempotency-Key, to recognise the same request. */
  readonly creation_hash?: string;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  /** Tells so many observers by one activity; only tests set it. */
  readonly announcement_batch?: number;
}

/**
 * A write through the OpenIntent API has `openintent_ask`, for it may ask a question: `asked_by` is the principal,
 * while `actor` is the agent that it speaks for.
 */
export interface AskingInput {
  readonly actor: string;
  readonly openintent_ask?: { readonly asked_by: string };
}

/** Every write names its actor (a principal). `if_match` is the version the caller read. */
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
export type AppendEventInput = Omit<IntentNote, 'key' | 'intent_id'> & { readonly key?: string };
/** `actor` holds the lease; `recorded_as` is the name in the event, where it is another. */
export type LeaseHolder = Readonly<{ actor: string; recorded_as?: string }>;
export interface AcquireLeaseInput extends LeaseHolder {
  readonly scope: string;
  readonly duration_seconds: number;
}
export interface ReleaseLeaseInput extends LeaseHolder {
  readonly lease_id: string;
}
export interface RenewLeaseInput extends ReleaseLeaseInput {
  readonly duration_seconds: number;
}
/** Opens a question. `request_key` and `body_hash` come together or not at all. */
export interface SuspendInput {
  readonly actor: string;
  readonly draft: SuspensionDraft;
  readonly request?: { readonly key: string; readonly body_hash: string };
}
/** `reattached`: the request_key had opened this suspension before. */
export interface SuspendReceipt {
  readonly suspension_id: string;
  readonly reattached: boolean;
  /** Absent on re-attaching: read the suspension itself. */
  readonly view?: SuspensionView;
}
/** `dependency_id` is to be depended on, or no longer. */
export interface DependencyInput {
  readonly actor: string;
  readonly if_match: number;
  readonly dependency_id: string;
}
/** A child as it starts: its first record names its parent. */
export type ChildInput = Pick<IntentInput, 'intent' | 'creation_hash'>;
export interface EngagementInput {
  readonly actor: string;
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
}

/** The intent and how far its log has come. */
export interface IntentSnapshot {
  readonly intent: Intent;
  readonly last_sequence: number;
  readonly creation_hash?: string;
}

export const setStatusUpdate = defineUpdate<IntentWritten, [SetStatusInput]>('setStatus');
export const patchStateUpdate = defineUpdate<IntentWritten, [PatchStateInput]>('patchState');
export const appendEventUpdate = defineUpdate<IntentEvent, [AppendEventInput]>('appendEvent');
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
/** From a task or a plan of this intent: an event for its log. */
export const planEventSignal = defineSignal<[EventDraft]>('planEvent');
export const intentQuery = defineQuery<IntentSnapshot>('intent');
export const leasesQuery = defineQuery<readonly Lease[]>('leases');
