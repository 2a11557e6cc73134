import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { CoordinatorEventType, IntentEventType } from '../../contracts/constants/events.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { RefusalError } from '../errors.js';
import type { Caller, Read } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import { naiveTime } from './wire.js';

/** A record of the contract that has no motion of its own: what an event of the log tells. */
export type WireRecord = JsonObject;

type Events = readonly IntentEvent[];

/**
 * Decisions, escalations, approvals, assignments and access lists: only kept and given back. Each is an
 * event of its intent's log and nothing else, so that it is recorded once, in order, and cannot be rewritten
 * unnoticed; what holds now is read from these events.
 */
export class Records {
  private readonly gateway: Gateway;

  constructor(gateway: Gateway) {
    this.gateway = gateway;
  }

  /** Appends an event; throws what `appendEvent` throws. */
  async add(
    caller: Caller,
    intentId: string,
    type: IntentEventType | CoordinatorEventType,
    payload: JsonObject,
  ): Promise<IntentEvent> {
    return this.gateway.appendEvent(caller, intentId, type, payload);
  }

  /** All events of these types of one intent, in the order of the log. */
  async of(intentId: string, types: readonly IntentEventType[]): Promise<readonly IntentEvent[]> {
    return (await this.read(intentId, types)).value;
  }

  /** The same of all intents. */
  async ofAll(types: readonly IntentEventType[]): Promise<readonly IntentEvent[]> {
    return (await allPages((page) => this.gateway.findEvents(types, page))).value;
  }

  /**
   * What `pick` makes of the events of one intent. Throws a 404 of `what` where that is nothing, but
   * `store_unavailable` where the store is behind and may hold it in a moment.
   */
  async find<Found>(
    what: string,
    intentId: string,
    types: readonly IntentEventType[],
    pick: (events: readonly IntentEvent[]) => Found | undefined,
  ): Promise<Found> {
    const { value, stale } = await this.read(intentId, types);
    const found = pick(value);
    if (found !== undefined) return found;
    if (!stale) throw recordNotFound(what);
    const detail = `The store has not caught up: ${what} may be there in a moment.`;
    throw new RefusalError({ code: 'store_unavailable', detail });
  }

  private read(intentId: string, types: readonly IntentEventType[]): Promise<Read<Events>> {
    return allPages((page) => this.gateway.listEvents(intentId, { ...page, event_types: types }));
  }
}

/** Every page of what is read newest first, oldest first; stale where one of them is. */
async function allPages(
  read: (page: Readonly<Record<'limit' | 'offset', number>>) => Promise<Read<Events>>,
): Promise<Read<Events>> {
  const events: IntentEvent[] = [];
  for (let behind = false; ;) {
    const { value, stale } = await read({ limit: LIMITS.pageSize, offset: events.length });
    events.push(...value);
    behind ||= stale;
    if (value.length < LIMITS.pageSize) return { value: events.reverse(), stale: behind };
  }
}

/** What an event tells, under the event's id; the id of its intent goes with it. */
export function recordOf({ id, intent_id, payload, created_at }: IntentEvent): WireRecord {
  return { ...payload, id, intent_id, created_at: naiveTime(created_at) };
}

/** A 404 of this wire form. */
export function recordNotFound(what: string): RefusalError {
  return new RefusalError({ code: 'not_found', detail: `${what} not found` });
}

/** An id for what is no event of its own. */
export const newId = (): string => randomUUID();
