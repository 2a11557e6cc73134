import type { JournalRow } from '../../contracts/journal.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { settlementOf, type SuspensionState } from '../../domain/suspension-state.js';
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

/** The row of a settled question; a lower revision never overwrites a higher. */
export function settledRow(
  { record, accepted }: Pick<SuspensionState, 'accepted'> & { readonly record: SettledRecord },
  revision: number,
): JournalRow {
  return {
    kind: 'suspension_settled',
    suspension_id: record.id,
    revision,
    settlement: settlementOf(record),
    ...(accepted && { answer: accepted.answer }),
  };
}
