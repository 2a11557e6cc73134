import { typeOfWorkflow } from '../../contracts/constants/names.js';
import type { JournalRow, RequestKey, RowOf } from '../../contracts/journal.js';
import type { NotificationRequest, OpeningRest } from '../../contracts/notification.js';
import type { Schedule } from '../../contracts/retry-policy.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';

/** A question as it was asked, as far as that is known: a view of it does not say in which name, and who waits. */
interface Asked {
  readonly intent_id: string | null;
  readonly asked_by: string;
  readonly asked_as?: string;
  /** The workflow that gets the outcome. */
  readonly subject_workflow_id?: string | null;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  readonly request?: RequestKey;
}

/** The row by which lists know a question from the moment it is asked. */
export function openingRow(asked: Asked): JournalRow {
  const { intent_id, record, schedule, request } = asked;
  return {
    kind: 'suspension_opened',
    intent_id,
    ...askerOf(asked),
    record,
    schedule,
    ...(request && { request }),
  };
}

/** What the opening row of a question has beside a notification of it, so that no payload holds both in full. */
export function openingRest(asked: Asked): OpeningRest {
  const {
    question: _question,
    response_type: _type,
    choices: _choices,
    context: _context,
    expires_at: _expiry,
    ...rest
  } = asked.record;
  return { ...askerOf(asked), schedule: asked.schedule, record: rest };
}

/** Who asked, and which workflow of an agent waits. That of an intent, plan or approval follows from what they ask. */
function askerOf({
  asked_by,
  asked_as,
  subject_workflow_id: waiting_workflow,
}: Asked): Pick<RowOf<'suspension_opened'>, 'asked_by' | 'asked_as' | 'waiting_workflow'> {
  const isAgents = waiting_workflow && typeOfWorkflow(waiting_workflow) === undefined;
  return {
    asked_by,
    ...(asked_as !== undefined && { asked_as }),
    ...(isAgents && { waiting_workflow }),
  };
}

/** The opening row of a question without a request key, from a notification of it and the rest. */
export function openingBeside(
  { intent_id, question, response_type, choices, context, expires_at }: NotificationRequest,
  { record: rest, ...asked }: OpeningRest,
): JournalRow {
  const record: SuspensionRecord = {
    ...rest,
    question,
    response_type,
    ...(choices && { choices: [...choices] }),
    ...(context && { context }),
    ...(expires_at !== undefined && { expires_at }),
  };
  return { kind: 'suspension_opened', intent_id, ...asked, record };
}
