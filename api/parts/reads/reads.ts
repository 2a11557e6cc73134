import pMap from 'p-map';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import {
  findEvents,
  lastSequences,
  listEvents,
  type EventListOptions,
} from '../../../store/queries/event-log.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { IntentRows } from '../calls/row-hand-over.js';
import type { Position, SpaceMemory } from './write-memory.js';
import { ReadYourWrites } from './read-your-writes.js';
import type { Reader } from '../../../contracts/intent/access.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent, IntentSummary, Lease } from '../../../contracts/intent/intent.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { isClosed } from '../../../domain/intent/entity.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import { findErasure, findSuspensionErasure } from '../../../store/queries/erasure/erasure.js';
import { findIntent, listIntents, type IntentListOptions } from '../../../store/queries/intent.js';
import { findPortfolio } from '../../../store/queries/portfolio.js';
import { findSettled, findSuspension } from '../../../store/queries/suspension.js';
import { intentQuery, leasesQuery } from '../../../workflows/intent/messages.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { Listed, ListedForm, Page, Read } from '../caller.js';
import { createLiveRead, demandKept, storeFirst } from '../calls/live.js';
import { demandEntityId, notFound, readUnavailable } from '../refusals.js';
import { ifThere, listAfter, type FromStore, type WarningLog } from './from-store.js';

/** How many workflows are asked at once. */
const AT_ONCE = 16;

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<Position>;
  readonly intentRows: Pick<IntentRows, 'collectDue'>;
}

/** Keeps "every read after a 2xx sees that write" for intents, portfolios, coordinators and their events. */
export class Consistency {
  private readonly deps: Deps;
  private readonly writes: ReadYourWrites<Position>;

  constructor(deps: Deps) {
    this.deps = deps;
    this.writes = new ReadYourWrites(deps, {
      missing: (wanted) => this.missing(wanted),
    });
  }

  /**
   * Remembers that this replica wrote to something. `sequence` is that of the newest event (of a coordinator, its
   * version); without it the workflow is asked for it later.
   */
  touch(id: string, sequence?: number): void {
    this.writes.touch(id, { sequence });
  }

  /** Remembers a write as `touch` does, and waits, at most 2 s, until the store shows it or fails. */
  async hold(id: string, sequence: number): Promise<void> {
    return this.writes.hold(id, { sequence });
  }

  /** Waits, at most 2 s, for all earlier writes; false if some are not stored by then. */
  async catchUpAll(): Promise<boolean> {
    return this.writes.catchUp();
  }

  /**
   * Waits, at most 2 s, until the store holds an entity's log as far as its workflow has come.
   * `gone` tells that Temporal no longer knows it. Throws `store_unavailable`.
   */
  async catchUp(
    id: string,
    type: 'intent' | 'portfolio' = 'intent',
  ): Promise<'caught_up' | 'behind' | 'gone'> {
    const asked = await this.deps.temporal.query(workflowIdOf(type, id), positionQuery);
    if (asked.kind === 'gone') return 'gone';
    if (asked.kind === 'no_answer') return 'behind';
    const isStored = await this.writes.comesToShow(id, { sequence: asked.value.last_sequence });
    if (isStored) return 'caught_up';
    // The process that was to write the rows of the intent may have died.
    if (type === 'intent') this.deps.intentRows.collectDue(id);
    return 'behind';
  }

  private async missing(wanted: ReadonlyMap<string, Position>): Promise<readonly string[]> {
    await this.askUnknown(wanted);
    const stored = await this.deps.fromStore(lastSequences, [...wanted.keys()]);
    return [...wanted].flatMap(([id, { sequence = Infinity }]) =>
      (stored.get(id) ?? 0) < sequence ? [id] : [],
    );
  }

  private async askUnknown(wanted: ReadonlyMap<string, Position>): Promise<void> {
    const ask = async ([id, position]: readonly [string, Position]): Promise<void> => {
      const asked = await this.deps.temporal.query(workflowIdOf('intent', id), positionQuery);
      if (asked.kind === 'gone') position.sequence = 0;
      if (asked.kind === 'done') position.sequence = asked.value.last_sequence;
    };
    const unknown = [...wanted].filter(([, { sequence }]) => sequence === undefined);
    await pMap(unknown, ask, { concurrency: AT_ONCE });
  }
}

/** Reads of one thing: a live one from its workflow first, a settled question from the store first. */
export type Reads = ReturnType<typeof createReads>;

/**
 * Reads from the workflow first, then from the store; a settled question from the store first. Each throws
 * `intent_not_found` or `suspension_not_found` if neither knows the id, `workflow_unavailable` if that cannot be
 * decided, and `store_unavailable`.
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
 * Reads a log from the store, once it holds what its workflow has recorded, without members that the reader may not
 * read. The log of a gone workflow is complete, because it ends only after its journal is drained. Throws
 * `…_not_found` and `store_unavailable`.
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
