import {
  ERASED_TEXT,
  FORGOTTEN_HASH,
  KEPT_RECORD_FIELDS,
} from '../../contracts/constants/erasure.js';
import type { JournalRow, RequestKey } from '../../contracts/journal.js';
import type { QuestionFindings } from '../../contracts/question-findings.js';
import type { Schedule } from '../../contracts/retry-policy.js';
import type { SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import type { SuspensionState } from './state.js';

/**
 * Returns what an erased record still says; one that was erased before keeps its instant.
 *
 * @param at - ISO-8601
 */
export function erasedRecord<R extends SuspensionRecord>(record: R, at: string): R {
  const kept = KEPT_RECORD_FIELDS.filter((field) => record[field] !== undefined);
  return {
    ...Object.fromEntries(kept.map((field) => [field, record[field]])),
    question: ERASED_TEXT,
    erased_at: record.erased_at ?? at,
  } as unknown as R;
}

/** Returns a schedule without the channels and recipients of its attempts. */
export function erasedSchedule({ attempts, ...rest }: Schedule): Schedule {
  return {
    ...rest,
    attempts: attempts.map(({ attempt, at, next_attempt_at }) => ({
      attempt,
      at,
      next_attempt_at,
      channel_hint: null,
      notify_to: null,
      ladder: [],
    })),
  };
}

/** Returns what a suspension keeps of its state: no answer, and no votes. */
export function erasedState({ intent_id, attempt, record }: SuspensionState, at: string) {
  return { intent_id, attempt, record: erasedRecord(record, at) };
}

/** Returns what a suspension keeps of how it was asked: nothing that was found about it, for that quotes what was asked. */
export function erasedAsked<Asked extends Questioned>(
  { findings: _findings, ...asked }: Asked,
  at: string,
): Omit<Asked, 'findings'> {
  const { record, schedule, request } = asked;
  return {
    ...asked,
    record: erasedRecord(record, at),
    schedule: erasedSchedule(schedule),
    ...(request && { request: { ...request, body_hash: FORGOTTEN_HASH } }),
  };
}

/** How a question was asked. */
interface Questioned {
  readonly record: SuspensionRecord;
  readonly schedule: Schedule;
  readonly request?: RequestKey;
  readonly findings?: QuestionFindings;
}

/** Returns an entry that only says what happened, and when. */
export function erasedEntry<E extends Omit<TimelineEntry, 'sequence'>>(entry: E): E {
  return { ...entry, detail: {} };
}

/**
 * Returns a row of a suspension as it is written once its personal data is erased. Other rows stay as they are.
 *
 * @param at - ISO-8601
 */
export function erasedSuspensionRow(row: JournalRow, at: string): JournalRow {
  switch (row.kind) {
    case 'suspension_opened':
      return erasedAsked(row, at);
    case 'suspension_progress': {
      const { votes: _votes, approval: _approval, ...progress } = row;
      const { claim: _claim, delegates: _delegates, amended: _amended, ...rest } = progress;
      return rest;
    }
    case 'suspension_settled': {
      const { answer: _answer, answers: _answers, settlement, ...settled } = row;
      const { resolution, settled_by, settled_at, responded_at } = settlement;
      const { responded_by, submitted_by } = settlement;
      return {
        ...settled,
        settlement: {
          resolution,
          settled_by,
          settled_at,
          ...(responded_at !== undefined && { responded_at }),
          ...(responded_by !== undefined && { responded_by }),
          ...(submitted_by !== undefined && { submitted_by }),
        },
      };
    }
    case 'timeline':
      return {
        ...row,
        entry: erasedEntry(row.entry),
        ...(row.seal && { seal: { ...row.seal, payload_salt: null } }),
      };
    default:
      return row;
  }
}
