import type { Reader } from '../../../contracts/intent/access.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent, IntentSummary, Lease } from '../../../contracts/intent/intent.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { isClosed } from '../../../domain/intent/entity.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import { findErasure, findSuspensionErasure } from '../../../store/queries/erasure.js';
import { findEvents, listEvents } from '../../../store/queries/event-log.js';
import type { EventListOptions } from '../../../store/queries/event-log.js';
import { findIntent, listIntents } from '../../../store/queries/intent.js';
import type { IntentListOptions } from '../../../store/queries/intent.js';
import { findPortfolio } from '../../../store/queries/portfolio.js';
import { findSettled, findSuspension } from '../../../store/queries/suspension.js';
import { intentQuery, leasesQuery } from '../../../workflows/intent/messages.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { Listed, ListedForm, Page, Read } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveRead, demandKept, storeFirst } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from './consistency.js';
import { demandEntityId, notFound, readUnavailable } from '../refusals.js';
import { ifThere, listAfter } from './from-store.js';
import type { FromStore } from './from-store.js';

/** Reads of one thing: what is live by its workflow first, a settled question by the store first. */
export type Reads = ReturnType<typeof createReads>;

/**
 * Reads that ask the workflow first, then the store; the store first for a settled question. Each throws
 * `intent_not_found` or `suspension_not_found` if neither Temporal nor the store knows the id, `workflow_unavailable`
 * if that cannot be decided, and `store_unavailable` if the store was needed and is away.
 */
export function createReads(temporal: Pick<Temporal, 'query'>, fromStore: FromStore, clock: Clock) {
  const deps = { temporal, fromStore };
  const getIntent = createLiveRead(deps, {
    type: 'intent',
    query: intentQuery,
    view: ({ intent }) => intent,
    stored: (id) => fromStore(findIntent, id),
    isOver: ({ status }) => isClosed(status),
    isErased: async (id, { last_sequence }) => {
      const erasure = await ifThere(fromStore(findErasure, id));
      return erasure !== undefined && erasure.event_sequence > last_sequence;
    },
  });

  const askSuspension = createLiveRead(deps, {
    type: 'suspension',
    query: recordQuery,
    view: (view) => view,
    stored: (id) => fromStore(findSuspension, id),
    isOver: ({ state }) => state === 'settled',
    isErased: async (id, { record }) =>
      record.erased_at === undefined &&
      (await ifThere(fromStore(findSuspensionErasure, id))) !== undefined,
  });

  async function findSettledIn(id: string): Promise<SuspensionView | undefined> {
    demandEntityId('suspension', id);
    return fromStore(findSettled, id);
  }

  /** Leases live in the workflow only; one that is gone holds none. */
  async function listLeases(intentId: string): Promise<readonly Lease[]> {
    demandEntityId('intent', intentId);
    const asked = await temporal.query(workflowIdOf('intent', intentId), leasesQuery);
    if (asked.kind === 'done') {
      await demandKept(fromStore, 'intent', intentId);
      return asked.value;
    }
    if (asked.kind === 'no_answer') throw readUnavailable();
    if (await fromStore(findIntent, intentId)) return [];
    throw notFound('intent');
  }

  const findQuestion = storeFirst(clock, findSettledIn, askSuspension);

  async function getSuspension(id: string): Promise<Read<SuspensionView>> {
    const { value, stale } = await findQuestion(id);
    return { value: viewAt(value, clock.now()), stale };
  }

  return { getIntent, getSuspension, listLeases };
}

/**
 * A log as the store has it, once it holds what its workflow has recorded. A workflow ends only after its journal
 * is drained, so the log of one that is gone is complete. Throws `…_not_found` if neither Temporal nor the store
 * knows the id, and `store_unavailable`. A reader whom access lists narrow is not shown events of a portfolio about members
 * that it may not read.
 */
function createLogRead(
  type: 'intent' | 'portfolio',
  consistency: Pick<Consistency, 'catchUp'>,
  fromStore: FromStore,
) {
  const find = type === 'intent' ? findIntent : findPortfolio;
  return async (
    id: string,
    page: EventListOptions,
    reader?: Reader,
  ): Promise<Listed<IntentEvent>> => {
    demandEntityId(type, id);
    const progress = await consistency.catchUp(id, type);
    const isMissing = progress !== 'caught_up' && !(await fromStore<[string], unknown>(find, id));
    if (isMissing && progress === 'gone') throw notFound(type);
    if (isMissing) await demandKept(fromStore, type, id);
    const { rows, more } = await fromStore(listEvents, id, page, reader);
    return { value: rows, more, stale: progress === 'behind' };
  };
}

/**
 * Lists are the store's, once it has caught up with what was written (at most 2 s, then `stale`).
 * They throw `store_unavailable`; `listEvents` throws `intent_not_found` besides.
 */
export function createLists(
  consistency: Pick<Consistency, 'catchUp' | 'catchUpAll'>,
  fromStore: FromStore,
) {
  return {
    listIntents(page: IntentListOptions): Promise<ListedForm<Intent, IntentSummary>> {
      return listAfter(consistency.catchUpAll(), () => fromStore(listIntents, page));
    },
    /** Events of these types of all intents, newest first. */
    findEvents(
      types: readonly string[],
      page: Page,
      reader?: Reader,
    ): Promise<Listed<IntentEvent>> {
      return listAfter(consistency.catchUpAll(), () => fromStore(findEvents, types, page, reader));
    },
    listEvents: createLogRead('intent', consistency, fromStore),
    listPortfolioEvents: createLogRead('portfolio', consistency, fromStore),
  };
}
