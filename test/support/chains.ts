import { randomUUID } from 'node:crypto';
import type { ExportEnd } from '../../contracts/event-log.js';
import type { IntentEvent } from '../../contracts/event.js';
import { sealed } from '../../domain/event-chain.js';

/** A sound log of notes, oldest first. */
export function logOfNotes(length: number, intent_id: string = randomUUID()): IntentEvent[] {
  const events: IntentEvent[] = [];
  for (let sequence = 1; sequence <= length; sequence += 1) {
    const note = {
      event_type: 'note',
      actor: 'agent-1',
      payload: { text: `note ${sequence}\u2028` },
    };
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, sequence)).toISOString();
    const draft = { id: randomUUID(), intent_id, sequence, ...note, created_at };
    events.push(sealed(draft, events.at(-1)?.event_hash ?? null));
  }
  return events;
}

/** The last line of such a log's export. */
export function endOf(events: readonly IntentEvent[]): ExportEnd {
  const last = events.at(-1);
  const end = { last_sequence: last?.sequence ?? 0, head_hash: last?.event_hash ?? null };
  return { end_of_log: { intent_id: last?.intent_id ?? '', ...end, head_from: 'workflow' } };
}

/** The lines of such a log's export. */
export function exportOf(events: readonly IntentEvent[]): string[] {
  return [...events, endOf(events)].map((line) => JSON.stringify(line));
}
