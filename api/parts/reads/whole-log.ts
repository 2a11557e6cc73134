import { setImmediate as otherWorkDone } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ChainHead, ExportEnd, IntentEvent } from '../../../contracts/intent/event.js';
import type { TimelineEvent } from '../../../domain/log/seal.js';
import {
  checkEvent,
  startCheck,
  type ChainProgress,
  type ReadEvent,
} from '../../../domain/log/chain.js';
import type { EventRange } from '../../../store/queries/event-log.js';
import type { Store } from '../../../store/schema.js';
import type { FromStore } from './from-store.js';

/** A whole log in its order, read as it is taken, and how it ends. */
export interface LogExport {
  readonly events: AsyncIterable<IntentEvent | TimelineEvent>;
  readonly end: ExportEnd;
}

/** The most events in memory at once, because they may be large. */
const PAGE = 50;

type PartOfLog<E> = (db: Store, id: string, range: EventRange) => Promise<readonly E[]>;

/** The events of a log up to a number, read part by part. Throws `store_unavailable` while it is read. */
export async function* wholeLog<E extends { readonly sequence: number }>(
  fromStore: FromStore,
  query: PartOfLog<E>,
  id: string,
  upTo: number,
): AsyncGenerator<E> {
  for (let after: number | undefined; ;) {
    const range = { ...(after !== undefined && { after }), upTo, limit: PAGE };
    const events = await fromStore(query, id, range);
    yield* events;
    if (events.length < PAGE) return;
    after = events.at(-1)?.sequence;
  }
}

/** How often a log is checked anew if it is erased or removed during the check. */
const MOST_READINGS = 3;

/**
 * Checks a log by an end that was read before. A broken log is checked again if its end has changed by then: it was
 * erased, or its beginning removed, between the two reads.
 * @param endOf - how the log ends now
 * @param check - reads the log up to that end
 */
export async function checkedWhole<E, R extends { readonly chain_valid: boolean }>(
  endOf: () => Promise<E>,
  check: (end: E) => Promise<R>,
): Promise<{ readonly end: E; readonly report: R }> {
  let end = await endOf();
  for (let reading = 1; ; reading += 1) {
    const report = await check(end);
    if (report.chain_valid || reading === MOST_READINGS) return { end, report };
    const now = await endOf();
    if (isDeepStrictEqual(now, end)) return { end, report };
    end = now;
  }
}

/**
 * Checks a log as it is read, and lets other work be done in between.
 *
 * @param before - the event after which it begins, if it no longer begins with its first
 */
export async function checkedAsRead(
  id: string,
  events: AsyncIterable<ReadEvent>,
  before?: ChainHead,
): Promise<ChainProgress> {
  let progress = startCheck(id, before);
  for await (const event of events) {
    progress = checkEvent(progress, event);
    await otherWorkDone();
  }
  return progress;
}
