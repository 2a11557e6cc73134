import type { IntentEvent } from '../../contracts/event.js';
import type { Store } from '../schema.js';
import { toText } from '../text-codec.js';

export interface EventListOptions {
  readonly limit: number;
  readonly offset: number;
  readonly event_type?: string | undefined;
}

/** A page of an intent's events, newest first. */
export async function listEvents(
  db: Store,
  intentId: string,
  options: EventListOptions,
): Promise<IntentEvent[]> {
  const { limit, offset, event_type: type } = options;
  const ofIntent = db
    .selectFrom('events')
    .select(['id', 'intent_id', 'sequence', 'event_type', 'actor', 'payload', 'created_at'])
    .where('intent_id', '=', intentId);
  const filtered = type === undefined ? ofIntent : ofIntent.where('event_type', '=', toText(type));
  return filtered.orderBy('sequence', 'desc').limit(limit).offset(offset).execute();
}

/**
 * How far the store has come with an intent: the newest event of which both the event and the
 * intent's own row are stored (the row is written last), 0 where there is none.
 */
export async function lastSequence(db: Store, intentId: string): Promise<number> {
  const row = await db
    .selectFrom('intents')
    .select('last_sequence')
    .where('id', '=', intentId)
    .executeTakeFirst();
  return row?.last_sequence ?? 0;
}
