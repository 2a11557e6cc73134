import { setImmediate as otherWorkDone } from 'node:timers/promises';
import type { ChainHead } from '../../../contracts/event.js';
import { checkEvent, startCheck } from '../../../domain/intent/event-chain.js';
import type { ChainProgress, ReadEvent } from '../../../domain/intent/event-chain.js';
import type { EventRange } from '../../../store/queries/event-log.js';
import type { Store } from '../../../store/schema.js';
import type { FromStore } from './from-store.js';

/** Events may be large: so many at most are in memory at once. */
const PAGE = 50;

/** A query for a part of one log, in its order. */
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
