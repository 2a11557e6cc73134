import type { AskedSuspension, InputResponse } from '../contracts/hooks.js';
import type { SettledRecord, SuspensionRecord } from '../contracts/suspension.js';
import { matchedChoice } from './response.js';
import { scheduleOf } from './schedule.js';

/** The copy of a record that an agent's hooks get for an attempt (R26-61, R26-62, AM-30). */
export function askedSuspension(record: SuspensionRecord, attempt: number): AskedSuspension {
  const { context, channel_hint: ownChannel, ...rest } = record;
  const { attempts } = scheduleOf(record);
  const inForce = attempts.find((entry) => entry.attempt === attempt);
  const channel = inForce?.channel_hint ?? ownChannel;
  return {
    ...rest,
    ...(channel === undefined ? {} : { channel_hint: channel }),
    intent_id: null,
    notify_to: inForce?.notify_to ?? null,
    context: { ...context, _attempt: attempt, _max_attempts: attempts.length },
  };
}

/** The answer of a record that an operator settled, with its choice's label and description (R25-97). */
export function inputResponse(record: SettledRecord): InputResponse {
  const { id, response: value = null, metadata } = record;
  const choice = matchedChoice(record, value);
  return {
    suspension_id: id,
    value,
    ...(choice === undefined ? {} : { choice_label: choice.label }),
    ...(choice?.description === undefined ? {} : { choice_description: choice.description }),
    responded_by: record.responded_by ?? record.settled_by,
    responded_at: record.responded_at ?? record.settled_at,
    ...(metadata === undefined ? {} : { metadata }),
  };
}
