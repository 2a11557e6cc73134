import type { QueryDefinition, UpdateDefinition } from '@temporalio/common';
import { workflowIdOf, type WorkflowType } from '../../../contracts/constants/names.js';
import { isRemoved } from '../../../store/queries/erasure/erasure-marks.js';
import type { RefusalError } from '../../errors.js';
import type { Read } from '../caller.js';
import { ifThere, type FromStore } from '../reads/from-store.js';
import { demandEntityId, notFound, readUnavailable, writeUnavailable } from '../refusals.js';
import type { Outcome } from './call.js';
import { DeadlinePassed, limitOf, withinDeadline, type Clock } from './deadline.js';
import type { Temporal } from './temporal.js';

type Missed = Exclude<Outcome<never>, { kind: 'done' }>;

/**
 * Returns the store's copy after the workflow could not be asked. It is fresh only if the workflow is gone and its
 * last row says that it ended.
 */
export function fromCopy<T>(
  type: WorkflowType,
  missed: Missed,
  copy: T | undefined,
  isOver: (copy: T) => boolean,
): Read<T> {
  if (copy !== undefined) return { value: copy, stale: missed.kind !== 'gone' || !isOver(copy) };
  throw missed.kind === 'gone' ? notFound(type) : readUnavailable();
}

interface LiveRead<Asked, T> {
  readonly type: WorkflowType;
  readonly query: QueryDefinition<Asked>;
  readonly view: (asked: Asked) => T;
  readonly stored: (id: string) => Promise<T | undefined>;
  readonly isOver: (copy: T) => boolean;
  /** Whether the store has erased what a workflow that has ended still answers. */
  readonly isErased?: (id: string, asked: Asked) => Promise<boolean>;
  /** Whether retention may have removed it; `isOver` unless given. */
  readonly mayBeRemoved?: (copy: T) => boolean;
}

interface LiveReadDeps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly fromStore: FromStore;
}

/**
 * Throws the 404 of what retention has removed, although its ended workflow still answers from its history. While the
 * store is away, that answer counts.
 */
export async function demandKept(
  fromStore: FromStore,
  type: WorkflowType,
  id: string,
): Promise<void> {
  if (await ifThere(fromStore(isRemoved, type, id))) throw notFound(type);
}

/**
 * Asks the workflow first, then the store. Throws `…_not_found` if neither knows the id, `workflow_unavailable`
 * if that cannot be decided, and `store_unavailable`.
 */
export function createLiveRead<Asked, T>(
  { temporal, fromStore }: LiveReadDeps,
  { type, query, view, stored, isOver, isErased, mayBeRemoved = isOver }: LiveRead<Asked, T>,
): (id: string) => Promise<Read<T>> {
  return async (id) => {
    demandEntityId(type, id);
    const asked = await temporal.query(workflowIdOf(type, id), query);
    if (asked.kind === 'done') {
      const value = view(asked.value);
      if (mayBeRemoved(value)) await demandKept(fromStore, type, id);
      const isGone = isOver(value) && (await isErased?.(id, asked.value));
      if (!isGone) return { value, stale: false };
      return fromCopy(type, { kind: 'gone' }, await stored(id), isOver);
    }
    return fromCopy(type, asked, await stored(id), isOver);
  };
}

/** How many milliseconds the store has to say that something is settled before its workflow is asked. */
const STORE_FIRST_MS = 500;

/**
 * Reads settled things from the store, and all others as `live` does. For a Query to a closed workflow, Temporal has
 * a worker replay its whole history.
 * @param settled - the store's copy of one that nothing but an erasure changes any more
 */
export function storeFirst<T>(
  clock: Clock,
  settled: (id: string) => Promise<T | undefined>,
  live: (id: string) => Promise<Read<T>>,
): (id: string) => Promise<Read<T>> {
  return async (id) => {
    const value = await withinDeadline(clock, limitOf(clock, 'servers', STORE_FIRST_MS), () =>
      ifThere(settled(id)),
    ).catch((error: unknown) => {
      if (error instanceof DeadlinePassed) return undefined;
      throw error;
    });
    return value === undefined ? live(id) : { value, stale: false };
  };
}

export type LiveWrite = <R, A>(
  id: string,
  definition: UpdateDefinition<R, [A]>,
  argument: A,
) => Promise<R>;

/**
 * Writes to workflows of one type. Throws what the workflow refuses with, and `workflow_unavailable` if no worker
 * took the Update within 10 s: it may still be carried out later.
 *
 * @param refusalOfClosed - why something whose workflow has ended takes nothing more; throws `…_not_found`
 */
export function createLiveWrite(
  temporal: Pick<Temporal, 'update'>,
  type: WorkflowType,
  refusalOfClosed: (id: string) => Promise<RefusalError>,
): LiveWrite {
  return async (id, definition, argument) => {
    demandEntityId(type, id);
    const outcome = await temporal.update(workflowIdOf(type, id), definition, argument);
    if (outcome.kind === 'done') return outcome.value;
    throw outcome.kind === 'no_answer' ? writeUnavailable() : await refusalOfClosed(id);
  };
}
