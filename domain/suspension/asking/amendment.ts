import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type {
  QuestionFindings,
  SuspensionRecord,
  TimelineEntry,
} from '../../../contracts/suspension/suspension.js';
import { jsonEqual } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { toInstant } from '../../kernel/time.js';
import { versionOf } from '../answering/decision.js';
import { checkMay } from '../people/rights.js';
import {
  checkIsOpenQuestion,
  checkIsVersion,
  checkRoom,
  isDoing,
  type Attended,
  type Deed,
  type Doing,
} from '../people/verb.js';
import { defined } from '../../../contracts/constants/defined.js';

const AMENDABLE = ['question', 'text_format', 'choices', 'context', 'response_schema'] as const;
export type Amendment = Readonly<Partial<Pick<SuspensionRecord, (typeof AMENDABLE)[number]>>>;

/** Corrects an open question. The sender has judged the fields by the rules of asking. */
export interface Amending extends Doing {
  readonly question_version: number;
  readonly amendment: Amendment;
  readonly reason?: string;
  readonly findings?: QuestionFindings;
}

export function isAmending(message: unknown): message is Amending {
  if (!isObject(message) || !isDoing(message)) return false;
  const { question_version, amendment, reason, findings = {} } = message as Partial<Amending>;
  const isReason = reason === undefined || typeof reason === 'string';
  return Number.isInteger(question_version) && [amendment, findings].every(isObject) && isReason;
}

/**
 * Judges an amendment by the asker or an admin, after everything due was settled. The question gets the next version
 * with new votes; its deadlines stay. A repetition changes nothing. Refuses `forbidden`, `suspension_settled`,
 * `reason_mismatch`, `not_amendable`, `question_version_mismatch` and `too_many_changes`.
 *
 * @param now - ms
 */
export function judgeAmendment(
  { state, timeline, asker, isAmendable }: Attended,
  amending: Amending,
  now: number,
): Ruling<Deed> {
  const { by, question_version, amendment, findings } = amending;
  const allowed = checkMay(by, 'amendSuspension', { asked_by: asker, record: state.record });
  if (!allowed.ok) return allowed;
  const open = checkIsOpenQuestion(state);
  if (!open.ok) return open;
  if (!isAmendable || state.record.approval !== undefined) return notAmendable();
  const { record } = state;
  const current = versionOf(record);
  const isKnown = [current, current - 1].includes(question_version);
  if (isKnown && isIn(record, amendment)) return ok({ state });
  const isCurrent = checkIsVersion(record, question_version);
  if (!isCurrent.ok) return isCurrent;
  const version = current + 1;
  const detail = detailOf(amending, version);
  const room = checkRoom(timeline, detail);
  if (!room.ok) return room;
  if (amendmentsIn(timeline) >= LIMITS.amendments) return tooMany();
  const amended = {
    ...record,
    ...amendment,
    question_version: version,
    amended_at: toInstant(now),
  };
  const { findings: _before, ...kept } = state;
  const votes = state.votes && { votes: [] };
  const next = { ...kept, record: amended, ...votes, ...defined({ findings }) };
  return ok({ state: next, entry: ['amended', detail] });
}

/** The timeline entry of a correction, with the warnings for its sender. */
function detailOf({ by, amendment, reason, findings }: Amending, version: number): JsonObject {
  return {
    amended_by: by.principal,
    question_version: version,
    changed: AMENDABLE.filter((field) => amendment[field] !== undefined),
    ...defined({ question: amendment.question, reason }),
    ...(findings?.warnings && { warnings: findings.warnings }),
  };
}

function isIn(record: SuspensionRecord, amendment: Amendment): boolean {
  return AMENDABLE.every(
    (field) => amendment[field] === undefined || jsonEqual(amendment[field], record[field]),
  );
}

function amendmentsIn(timeline: readonly TimelineEntry[]): number {
  return timeline.filter(({ kind }) => kind === 'amended').length;
}

function notAmendable(): Ruling<never> {
  return refuse('not_amendable', 'What this question asks about cannot be amended.', {
    accepted: 'a question that an agent asks; an approval is edited by who approves',
  });
}

function tooMany(): Ruling<never> {
  return refuse('too_many_changes', 'The question was amended too often.', {
    accepted: `at most ${LIMITS.amendments} amendments of one question`,
  });
}
