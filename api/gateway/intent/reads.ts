import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentEvent } from '../../../contracts/event.js';
import type { Intent, Lease } from '../../../contracts/intent.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import { isClosed } from '../../../domain/intent/entity.js';
import { findEvents, listEvents } from '../../../store/queries/event-log.js';
import type { EventListOptions } from '../../../store/queries/event-log.js';
import { findIntent, listIntents } from '../../../store/queries/intent.js';
import type { IntentListOptions } from '../../../store/queries/intent.js';
import { findSuspension } from '../../../store/queries/suspension.js';
import { intentQuery, leasesQuery } from '../../../workflows/intent/messages.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { Page, Read } from '../caller.js';
import type { Outcome } from '../calls/call.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { isEntityId } from '../references.js';
import { intentNotFound, readUnavailable, suspensionNotFound } from '../refusals.js';

/** Reads of one live thing: its workflow is asked first, then the store. */
export type Reads = ReturnType<typeof createReads>;

type Missed = Exclude<Outcome<never>, { kind: 'done' }>;

/**
 * The store's copy after the workflow could not be asked. It is fresh only where the workflow is
 * gone and its last row says that it ended; then nothing can have changed since.
 */
export function fromCopy<T>(
  missed: Missed,
  copy: T | undefined,
  ended: (copy: T) => boolean,
  notFound: () => Error,
): Read<T> {
  if (copy !== undefined) return { value: copy, stale: missed.kind !== 'gone' || !ended(copy) };
  throw missed.kind === 'gone' ? notFound() : readUnavailable();
}

/**
 * Reads that ask the workflow first, then the store. Each throws `intent_not_found` or `suspension_not_found` where
 * neither Temporal nor the store knows the id, `workflow_unavailable` where that is not known, and
 * `store_unavailable` where the store was needed and is away.
 */
export function createReads(temporal: Pick<Temporal, 'query'>, fromStore: FromStore) {
  async function getIntent(intentId: string): Promise<Read<Intent>> {
    if (!isEntityId(intentId)) throw intentNotFound();
    const asked = await temporal.query(workflowIdOf('intent', intentId), intentQuery);
    if (asked.kind === 'done') return { value: asked.value.intent, stale: false };
    const copy = await fromStore(findIntent, intentId);
    return fromCopy(asked, copy, ({ status }) => isClosed(status), intentNotFound);
  }

  async function getSuspension(suspensionId: string): Promise<Read<SuspensionView>> {
    if (!isEntityId(suspensionId)) throw suspensionNotFound();
    const asked = await temporal.query(workflowIdOf('suspension', suspensionId), recordQuery);
    if (asked.kind === 'done') return { value: asked.value, stale: false };
    const copy = await fromStore(findSuspension, suspensionId);
    return fromCopy(asked, copy, ({ state }) => state === 'settled', suspensionNotFound);
  }

  /** Leases live in the workflow only; one that is gone holds none. */
  async function listLeases(intentId: string): Promise<readonly Lease[]> {
    if (!isEntityId(intentId)) throw intentNotFound();
    const asked = await temporal.query(workflowIdOf('intent', intentId), leasesQuery);
    if (asked.kind === 'done') return asked.value;
    if (asked.kind === 'no_answer') throw readUnavailable();
    if (await fromStore(findIntent, intentId)) return [];
    throw intentNotFound();
  }

  return { getIntent, getSuspension, listLeases };
}

/**
 * Lists are the store's, once it has caught up with what was written (at most 2 s, then `stale`).
 * Both throw `store_unavailable`; `listEvents` throws `intent_not_found` where neither Temporal nor
 * the store knows the intent.
 */
export function createLists(
  consistency: Pick<Consistency, 'catchUp' | 'catchUpAll'>,
  fromStore: FromStore,
) {
  return {
    async listIntents(page: IntentListOptions): Promise<Read<readonly Intent[]>> {
      const caughtUp = await consistency.catchUpAll();
      return { value: await fromStore(listIntents, page), stale: !caughtUp };
    },
    /** Events of these types of all intents, newest first. */
    async findEvents(types: readonly string[], page: Page): Promise<Read<readonly IntentEvent[]>> {
      const caughtUp = await consistency.catchUpAll();
      return {
        value: await fromStore(findEvents, types, page),
        stale: !caughtUp,
      };
    },
    async listEvents(
      intentId: string,
      page: EventListOptions,
    ): Promise<Read<readonly IntentEvent[]>> {
      if (!isEntityId(intentId)) throw intentNotFound();
      const progress = await consistency.catchUp(intentId);
      if (progress === 'gone') {
        // A workflow ends only after its journal is drained, so the store's log is complete.
        const known = await fromStore(findIntent, intentId);
        if (!known) throw intentNotFound();
      }
      const value = await fromStore(listEvents, intentId, page);
      return { value, stale: progress === 'behind' };
    },
  };
}
