import {
  ERASED_TEXT,
  FORGOTTEN_HASH,
  KEPT_RECORD_FIELDS,
} from '../../../contracts/constants/erasure.js';
import type { JournalRow, RequestKey } from '../../../contracts/log/journal.js';
import type {
  QuestionFindings,
  SuspensionRecord,
  TimelineEntry,
} from '../../../contracts/suspension/suspension.js';
import type { Schedule } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionState } from './state.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Returns an erased record. A repeated erasure keeps the first instant. `at` is ISO-8601. */
export function erasedRecord<R extends SuspensionRecord>(record: R, at: string): R {
  const kept = KEPT_RECORD_FIELDS.filter((field) => record[field] !== undefined);
  return {
    ...Object.fromEntries(kept.map((field) => [field, record[field]])),
    question: ERASED_TEXT,
    erased_at: record.erased_at ?? at,
  } as unknown as R;
}

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

/** Returns the state of a suspension after the erasure: no answer, and no votes. */
export function erasedState({ intent_id, attempt, record }: SuspensionState, at: string) {
  return { intent_id, attempt, record: erasedRecord(record, at) };
}

/** Returns the request of a suspension after the erasure, without its findings, because they quote the question. */
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

/** Returns a row of a suspension after the erasure of its personal data at `at` (ISO-8601); other rows stay. */
export function erasedSuspensionRow(row: JournalRow, at: string): JournalRow {
  switch (row.kind) {
    case 'suspension_opened':
      return erasedAsked(row, at);
    case 'suspension_progress': {
      const { votes: _votes, approval: _approval, ...progress } = row;
      const { claim: _claim, amended: _amended, ...left } = progress;
      const { delegates: _delegates, delegate_groups: _groups, ...rest } = left;
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
          ...defined({ responded_at, responded_by, submitted_by }),
        },
      };
    }
    case 'timeline':
      return {
        ...row,
        entry: erasedEntry(row.entry),
        seal: { ...row.seal, payload_salt: null },
      };
    default:
      return row;
  }
}
