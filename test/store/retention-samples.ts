import assert from 'node:assert/strict';
import type { IntentStatus } from '../../contracts/intent.js';
import type { JournalRow } from '../../contracts/journal.js';
import { sealTimelineEntry } from '../../domain/suspension/timeline-seal.js';
import { logOfNotes } from '../support/events.js';
import { aRecord, anIntent, instant, openedRow, settledRow } from './rows.js';

/** The rows of an intent with a log, as its workflow hands them over. */
export function lived(length = 3, status: IntentStatus = 'completed', changes: object = {}) {
  const log = logOfNotes(length);
  const id = log[0]?.intent_id ?? assert.fail();
  const head_hash = log.at(-1)?.event_hash ?? null;
  const intent = anIntent({ id, status, updated_at: instant(length), ...changes });
  const events = log.map((event) => ({ kind: 'event', event }) as const);
  return {
    id,
    log,
    rows: [...events, { kind: 'intent', intent, last_sequence: length, head_hash } as const],
  };
}

/** The rows of a question; one that is settled has a timeline of its own. */
export function asked(intentId: string | null, state: 'settled' | 'pending' = 'settled') {
  const record = aRecord();
  const { id } = record;
  const opened = { ...openedRow(intentId ?? '', record), intent_id: intentId } as JournalRow;
  const entry = { sequence: 1, at: instant(1), kind: 'delivered', detail: {} } as const;
  const seal = sealTimelineEntry(id, entry, null, 'salt');
  const rows: JournalRow[] = [opened, { kind: 'timeline', suspension_id: id, entry, seal }];
  return { id, rows: state === 'settled' ? [...rows, settledRow(id, 1)] : rows };
}
