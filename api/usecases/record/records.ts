import type { IntentEventType } from '../../../contracts/constants/events.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { RefusalError } from '../../errors.js';
import type { Listed, Page, Read } from '../../parts/caller.js';
import type { Call } from '../usecase.js';

/*
 * Decisions, escalations and assignments are only kept and returned. Each is
 * an event of its intent's log and nothing else, so that it is recorded once, in order, and cannot be
 * rewritten unnoticed; what holds now is read from these events.
 */

export type Events = readonly IntentEvent[];

/**
 * What is wanted of every page of what is read newest first, oldest first; stale if one of them is. Only one page at a time
 * is held besides that.
 */
export async function allPages(
  read: (page: Page) => Promise<Listed<IntentEvent>>,
  isWanted: (event: IntentEvent) => boolean = () => true,
): Promise<Read<Events>> {
  const events: IntentEvent[] = [];
  for (let behind = false, offset = 0; ;) {
    const { value, stale, more } = await read({ limit: LIMITS.pageSize, offset });
    events.push(...value.filter(isWanted));
    offset += value.length;
    behind ||= stale;
    if (!more) return { value: events.reverse(), stale: behind };
  }
}

/** Which events of an intent are read. */
interface Wanted {
  readonly intentId: string;
  readonly types: readonly IntentEventType[];
  /** All of these types unless given. */
  readonly isWanted?: (event: IntentEvent) => boolean;
}

function readRecords({ parts }: Call, wanted: Wanted): Promise<Read<Events>> {
  const { intentId, types, isWanted } = wanted;
  return allPages(
    (page) => parts.lists.listEvents(intentId, { ...page, event_types: types }),
    isWanted,
  );
}

/** All events of these types of one intent, in the order of the log. */
export async function recordsOf(
  call: Call,
  intentId: string,
  types: readonly IntentEventType[],
): Promise<Events> {
  return (await readRecords(call, { intentId, types })).value;
}

export function recordNotFound(what: string): RefusalError {
  return new RefusalError({ code: 'not_found', detail: `${what} not found` });
}

/**
 * What `pick` makes of the events of one intent. Throws a 404 of `what` if that is nothing, but
 * `store_unavailable` if the store is behind and may hold it in a moment.
 */
export async function findRecord<Found>(
  call: Call,
  what: string,
  wanted: Wanted,
  pick: (events: Events) => Found | undefined,
): Promise<Found> {
  const { value, stale } = await readRecords(call, wanted);
  const found = pick(value);
  if (found !== undefined) return found;
  if (!stale) throw recordNotFound(what);
  const detail = `The store has not caught up: ${what} may be there in a moment.`;
  throw new RefusalError({ code: 'store_unavailable', detail });
}
