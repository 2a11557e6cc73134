import type { IntentEvent } from '../../contracts/event.js';
import type { JournalRow } from '../../contracts/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import type { Store } from '../../store/schema.js';
import { anEvent, anIntent } from '../store/rows.js';

/** An event of an intent's log: the first is by its creator. */
export function eventOf(
  intentId: string,
  sequence: number,
  changes: Partial<IntentEvent> = {},
): IntentEvent {
  const event_type = sequence === 1 ? 'intent_created' : 'note';
  return anEvent({ intent_id: intentId, sequence, event_type, ...changes });
}

/** Appends one event, and the intent's row, as its journal would. */
export async function append(db: Store, event: IntentEvent): Promise<IntentEvent> {
  const intent = anIntent({ id: event.intent_id, version: event.sequence });
  const rows: JournalRow[] = [
    { kind: 'event', event },
    { kind: 'intent', intent, last_sequence: event.sequence },
  ];
  await writeRows(db, rows);
  return event;
}

/** Lets writers append to intents of their own, so many events each, all at the same time. */
export async function writeMany(
  db: Store,
  intentIds: readonly string[],
  events: number,
): Promise<void> {
  const writer = async (intentId: string): Promise<void> => {
    for (let sequence = 1; sequence <= events; sequence += 1) {
      await append(db, eventOf(intentId, sequence));
    }
  };
  await Promise.all(intentIds.map(writer));
}
