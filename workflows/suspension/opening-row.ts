import type { JournalRow } from '../../contracts/journal.js';
import type { SuspensionInput } from './messages.js';

/** The row by which lists know a question from the moment it is asked. */
export function openingRow({
  intent_id,
  asked_by,
  record,
  schedule,
}: Pick<SuspensionInput, 'intent_id' | 'asked_by' | 'record' | 'schedule'>): JournalRow {
  return { kind: 'suspension_opened', intent_id, asked_by, record, schedule };
}
