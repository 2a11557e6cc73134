import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { QuestionFindings } from '../../contracts/question-findings.js';
import type { SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toInstant } from '../kernel/time.js';
import { versionOf } from './decision.js';
import { checkMay } from './rights.js';
import { checkIsOpenQuestion, checkIsVersion, checkRoom, isDoing } from './verb.js';
import type { Attended, Deed, Doing } from './verb.js';

/** The fields of a question that its agent may correct. */
const AMENDABLE = ['question', 'text_format', 'choices', 'context', 'response_schema'] as const;
export type Amendment = Readonly<Partial<Pick<SuspensionRecord, (typeof AMENDABLE)[number]>>>;

/** Corrects an open question. Whoever sends it has judged the fields by the rules of asking. */
export interface Amending extends Doing {
  /** The version that it corrects. */
  readonly question_version: number;
  readonly amendment: Amendment;
  readonly reason?: string;
  /** What was found about the question with the amendment. */
  readonly findings?: QuestionFindings;
}

/** Whether a message corrects a question. */
export function isAmending(message: unknown): message is Amending {
  if (!isObject(message) || !isDoing(message)) return false;
  const { question_version, amendment, reason, findings = {} } = message as Partial<Amending>;
  const isReason = reason === undefined || typeof reason === 'string';
  return Number.isInteger(question_version) && [amendment, findings].every(isObject) && isReason;
}

/**
 * Judges an amendment, after everything due was settled: by who asked, or an admin. The question gets the next version, on
 * which the votes begin anew; its deadlines stay. The same once more, or what it says already, is accepted and changes
 * nothing. Refuses `forbidden`, `suspension_settled`, `reason_mismatch`, `not_amendable`, `question_version_mismatch` and `too_many_changes`.
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
  const next = { ...kept, record: amended, ...votes, ...(findings && { findings }) };
  return ok({ state: next, entry: ['amended', detail] });
}

/** What the timeline says of an amendment, with what its sender was warned of. */
function detailOf({ by, amendment, reason, findings }: Amending, version: number): JsonObject {
  return {
    amended_by: by.principal,
    question_version: version,
    changed: AMENDABLE.filter((field) => amendment[field] !== undefined),
    ...(amendment.question !== undefined && { question: amendment.question }),
    ...(reason !== undefined && { reason }),
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
