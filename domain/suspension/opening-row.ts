import type { JournalRow, RequestKey } from '../../contracts/journal.js';
import type { NotificationRequest, OpeningRest } from '../../contracts/notification.js';
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

/** What the opening row of a question has beside a notification of it, so that no payload holds both in full. */
export function openingRest({ asked_by, record, schedule }: Asked): OpeningRest {
  const {
    question: _question,
    response_type: _type,
    choices: _choices,
    context: _context,
    expires_at: _expiry,
    ...rest
  } = record;
  return { asked_by, schedule, record: rest };
}

/** The opening row of a question without a request key, from a notification of it and the rest. */
export function openingBeside(
  { intent_id, question, response_type, choices, context, expires_at }: NotificationRequest,
  { asked_by, schedule, record: rest }: OpeningRest,
): JournalRow {
  const record: SuspensionRecord = {
    ...rest,
    question,
    response_type,
    ...(choices && { choices: [...choices] }),
    ...(context && { context }),
    ...(expires_at !== undefined && { expires_at }),
  };
  return openingRow({ intent_id, asked_by, record, schedule });
}
