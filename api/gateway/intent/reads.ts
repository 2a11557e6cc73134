import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Intent, Lease } from '../../../contracts/intent.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import { isClosed } from '../../../domain/intent/entity.js';
import { intentQuery, leasesQuery } from '../../../workflows/intent/messages.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { Ask, QueryOutcome } from '../calls/queries.js';
import type { Consistency } from '../reads/read-your-writes.js';
import type { FromStore } from '../reads/store-reads.js';
import { isEntityId } from '../references.js';
import { intentNotFound, readUnavailable, suspensionNotFound } from '../refusals.js';
import type { Gateway, Read } from '../types.js';

/** Reads of one live thing: its workflow is asked first, then the store. */
export interface Reads {
  getIntent(intentId: string): Promise<Read<Intent>>;
  getSuspension(suspensionId: string): Promise<Read<SuspensionView>>;
  listLeases(intentId: string): Promise<readonly Lease[]>;
}

type Missed = Exclude<QueryOutcome<never>, { kind: 'found' }>;

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
  if (copy !== undefined) return { value: copy, stale: missed.kind !== 'missing' || !ended(copy) };
  throw missed.kind === 'missing' ? notFound() : readUnavailable();
}

/**
 * Reads as design §5 has them. Each throws `intent_not_found` or `suspension_not_found` where
 * neither Temporal nor the store knows the id, `workflow_unavailable` where that cannot be told, and
 * `store_unavailable` where the store was needed and is away.
 */
export function createReads(ask: Ask, fromStore: FromStore): Reads {
  async function getIntent(intentId: string): Promise<Read<Intent>> {
    if (!isEntityId(intentId)) throw intentNotFound();
    const asked = await ask(workflowIdOf('intent', intentId), intentQuery);
    if (asked.kind === 'found') return { value: asked.value.intent, stale: false };
    const copy = await fromStore((store) => store.findIntent(intentId));
    return fromCopy(asked, copy, ({ status }) => isClosed(status), intentNotFound);
  }

  async function getSuspension(suspensionId: string): Promise<Read<SuspensionView>> {
    if (!isEntityId(suspensionId)) throw suspensionNotFound();
    const asked = await ask(workflowIdOf('suspension', suspensionId), recordQuery);
    if (asked.kind === 'found') return { value: asked.value, stale: false };
    const copy = await fromStore((store) => store.findSuspension(suspensionId));
    return fromCopy(asked, copy, ({ state }) => state === 'settled', suspensionNotFound);
  }

  /** Leases live in the workflow only; one that is gone holds none. */
  async function listLeases(intentId: string): Promise<readonly Lease[]> {
    if (!isEntityId(intentId)) throw intentNotFound();
    const asked = await ask(workflowIdOf('intent', intentId), leasesQuery);
    if (asked.kind === 'found') return asked.value;
    if (asked.kind === 'no_answer') throw readUnavailable();
    if (await fromStore((store) => store.findIntent(intentId))) return [];
    throw intentNotFound();
  }

  return { getIntent, getSuspension, listLeases };
}

type Methods = Pick<Gateway, 'listIntents' | 'findEvents' | 'listEvents'>;

/**
 * Lists are the store's, once it has caught up with what was written (at most 2 s, then `stale`).
 * Both throw `store_unavailable`; `listEvents` throws `intent_not_found` where neither Temporal nor
 * the store knows the intent.
 */
export function createLists(
  consistency: Pick<Consistency, 'catchUp' | 'catchUpAll'>,
  fromStore: FromStore,
): Methods {
  return {
    async listIntents(page) {
      const caughtUp = await consistency.catchUpAll();
      return { value: await fromStore((store) => store.listIntents(page)), stale: !caughtUp };
    },
    async findEvents(types, page) {
      const caughtUp = await consistency.catchUpAll();
      return {
        value: await fromStore((store) => store.findEvents(types, page)),
        stale: !caughtUp,
      };
    },
    async listEvents(intentId, page) {
      if (!isEntityId(intentId)) throw intentNotFound();
      const progress = await consistency.catchUp(intentId);
      if (progress === 'missing') {
        // A workflow ends only after its journal is drained, so the store's log is complete.
        const known = await fromStore((store) => store.findIntent(intentId));
        if (!known) throw intentNotFound();
      }
      const value = await fromStore((store) => store.listEvents(intentId, page));
      return { value, stale: progress === 'behind' };
    },
  };
}
