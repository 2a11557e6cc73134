import type { JournalRow, RequestKey } from '../../contracts/journal.js';
import type { Schedule } from '../../contracts/retry-policy.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';

/** A question as it was asked. */
interface Asked {
  readonly intent_id: string | null;
  readonly asked_by: string;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  readonly request?: RequestKey;
}

/** The row by which lists know a question from the moment it is asked. */
export function openingRow({ intent_id, asked_by, record, schedule, request }: Asked): JournalRow {
  const asked = { intent_id, asked_by, record, schedule, ...(request && { request }) };
  return { kind: 'suspension_opened', ...asked };
}
