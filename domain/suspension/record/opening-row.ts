import { typeOfWorkflow } from '../../../contracts/constants/names.js';
import type { JournalRow, RequestKey, RowOf } from '../../../contracts/log/journal.js';
import type { NotificationRequest, OpeningRest } from '../../../contracts/channel/notification.js';
import type { Schedule } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { defined } from '../../../contracts/constants/defined.js';

/** A question as it was asked; its view lacks the asker's name and who waits. */
interface Asked {
  readonly intent_id: string | null;
  readonly asked_by: string;
  readonly asked_as?: string;
  readonly subject_workflow_id?: string | null;
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  readonly request?: RequestKey;
}

/** The row with which lists show a question as soon as it is asked. */
export function openingRow(asked: Asked): JournalRow {
  const { intent_id, record, schedule, request } = asked;
  return {
    kind: 'suspension_opened',
    intent_id,
    ...askerOf(asked),
    record,
    schedule,
    ...defined({ request }),
  };
}

/** The part of a question's opening row that its notification lacks, so that no payload contains both in full. */
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

/** Derives the asker and its workflow for the question of an intent, plan or approval. */
function askerOf({
  asked_by,
  asked_as,
  subject_workflow_id: waiting_workflow,
}: Asked): Pick<RowOf<'suspension_opened'>, 'asked_by' | 'asked_as' | 'waiting_workflow'> {
  const isAgents = waiting_workflow && typeOfWorkflow(waiting_workflow) === undefined;
  return {
    asked_by,
    ...defined({ asked_as }),
    ...(isAgents && { waiting_workflow }),
  };
}

/** The opening row of a question without a request key, assembled from its notification and the rest. */
export function openingBeside(
  { intent_id, question, response_type, choices, context, expires_at }: NotificationRequest,
  { record: rest, ...asked }: OpeningRest,
): JournalRow {
  const record: SuspensionRecord = {
    ...rest,
    question,
    response_type,
    ...(choices && { choices: [...choices] }),
    ...defined({ context, expires_at }),
  };
  return { kind: 'suspension_opened', intent_id, ...asked, record };
}
