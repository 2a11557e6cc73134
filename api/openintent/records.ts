import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { CoordinatorEventType, IntentEventType } from '../../contracts/constants/events.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/json.js';
import { RefusalError } from '../errors.js';
import type { Caller, Gateway } from '../gateway/types.js';
import { naiveTime } from './naive-time.js';

/** A record of the contract that has no motion of its own: what an event of the log tells. */
export type WireRecord = JsonObject;

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
    const events: IntentEvent[] = [];
    for (;;) {
      const page = { limit: LIMITS.pageSize, offset: events.length, event_types: types };
      const { value } = await this.gateway.listEvents(intentId, page);
      events.push(...value);
      if (value.length < LIMITS.pageSize) return events.reverse();
    }
  }

  /** The newest events of these types of all intents, oldest first. */
  async ofAll(types: readonly IntentEventType[]): Promise<readonly IntentEvent[]> {
    return [...(await this.gateway.findEvents(types, LIMITS.pageSize)).value].reverse();
  }
}

/** What an event tells, under the event's id; the id of its intent goes with it. */
export function recordOf({ id, intent_id, payload, created_at }: IntentEvent): WireRecord {
  return { ...payload, id, intent_id, created_at: naiveTime(created_at) };
}

/** A 404 of this wire form. */
export function noSuch(what: string): RefusalError {
  return new RefusalError({ code: 'not_found', detail: `${what} not found` });
}

/** An id for what is no event of its own. */
export const newId = (): string => randomUUID();
