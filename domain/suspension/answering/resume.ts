import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type {
  PausePart,
  SettledBy,
  SettledRecord,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import type { ResumeRequest } from '../../../contracts/suspension/pause-requests.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonBytes } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { toInstant } from '../../kernel/time.js';
import { judgeAnswer, type Answer, type Judgement } from './answer.js';
import { respondResult } from './response.js';
import { checkMay } from '../people/rights.js';
import { checkOpen, type SuspensionState } from '../record/state.js';

/** The kinds of request to resume: a signal for a pause, or an answer to a question. */
export type Resumption =
  | { readonly kind: 'signal'; readonly resume_signal: string; readonly data: JsonValue }
  | { readonly kind: 'answer'; readonly value: JsonValue; readonly data?: JsonObject };

const NO_OBJECT = 'The data of an answer are an object.';

/** Determines the kind of a request to resume. Refuses `invalid_request` for one that is both or neither. */
export function resumptionOf(request: ResumeRequest): Ruling<Resumption> {
  const { resume_signal, data, value, ...answer } = request;
  const given = Object.entries(answer).find(([, part]) => part !== undefined);
  if (value !== undefined) {
    if (resume_signal !== undefined)
      return fault('value', 'An answer to a question has no signal.');
    if (data === undefined) return ok({ kind: 'answer', value });
    return isObject(data) ? ok({ kind: 'answer', value, data }) : fault('data', NO_OBJECT);
  }
  if (resume_signal === undefined) return fault('resume_signal', 'Nothing says what to resume.');
  if (given !== undefined) return fault(given[0], 'Only an answer to a question has this field.');
  return ok({ kind: 'signal', resume_signal, data: data ?? null });
}

function fault(field: string, detail: string): Ruling<never> {
  const accepted = 'resume_signal, or value to answer a question; each with data if there are any';
  return refuse('invalid_request', detail, { field, accepted });
}

/** The asker: the principal, the name that it used, and the user it asked for. */
interface Asked {
  readonly asked_by: string;
  readonly asked_as?: string | null;
  readonly record: Pick<SuspensionRecord, 'on_behalf_of'>;
}

/** Judges a reply to a suspension: a signal for a pause, or an answer; see `judgeSignal` and `judgeAnswer`. */
export function judgeReply(
  state: SuspensionState,
  answer: Answer,
  now: number,
  asked: Asked,
): Ruling<Judgement> {
  if (answer.resume_signal !== undefined) return judgeSignal(state, answer, now, asked.asked_by);
  return judgeAnswer(state, answer, now, askersOf(asked));
}

/** The names of the askers, and of the user on whose behalf they ask. */
export function askersOf({ asked_by, asked_as, record }: Asked): readonly string[] {
  return [asked_by, asked_as, record.on_behalf_of].filter((name) => typeof name === 'string');
}

/**
 * Judges a signal for a pause, after everything due was settled. It settles the pause as an answer does, once under
 * its key. Refuses, in this order: `forbidden`, `suspension_settled`, `reason_mismatch`, `resume_signal_mismatch` and
 * `answer_too_large`.
 *
 * @param asker - the principal that opened the suspension
 */
export function judgeSignal(
  state: SuspensionState,
  answer: Answer,
  now: number,
  asker: string,
): Ruling<Judgement> {
  const { pause } = state.record;
  const question = { asked_by: asker, record: state.record };
  // Only those who may answer a question can resume it.
  const allowed = checkMay(answer.by, 'resumeSuspension', question);
  if (!allowed.ok) return allowed;
  const { accepted } = state;
  if (accepted?.answer.key === answer.answer.key) {
    return ok({ state, accepted, verdict: 'settled', repeated: true });
  }
  const open = checkOpen(state, answer.intent_id);
  if (!open.ok) return open;
  const signal = checkSignal(pause, answer);
  return signal.ok ? ok(resumed(state, answer, now, asker)) : signal;
}

function checkSignal(pause: PausePart | undefined, { resume_signal, value }: Answer): Ruling<true> {
  if (pause === undefined) {
    return refuse('reason_mismatch', 'The suspension is a question, and waits for an answer.', {
      field: 'resume_signal',
      accepted: 'value',
      state: { reason: 'human_input' },
    });
  }
  if (resume_signal !== pause.resume_signal) {
    return refuse('resume_signal_mismatch', 'Another signal resumes this suspension.', {
      field: 'resume_signal',
      accepted: pause.resume_signal,
    });
  }
  if (jsonBytes(value) <= LIMITS.answerBytes) return ok(true);
  return refuse('answer_too_large', 'The data are too large.', {
    field: 'data',
    accepted: `at most ${LIMITS.answerBytes} bytes of JSON`,
  });
}

function resumed(
  state: SuspensionState,
  { by, value, answer }: Answer,
  now: number,
  asker: string,
): Judgement {
  const at = toInstant(now);
  const record: SettledRecord = {
    ...state.record,
    resolution: 'responded',
    settled_by: capacityOf(by, asker, state.record.pause?.resumable_by),
    settled_at: at,
    response: value,
    responded_at: at,
    responded_by: by.principal,
    submitted_by: by.principal,
  };
  const accepted = { answer, result: respondResult(state.intent_id, record) };
  return { state: { ...state, record, accepted }, accepted, verdict: 'settled', repeated: false };
}

/** Returns the capacity of the resumer: `agent` for the asker, a named principal's own role, or `admin`. */
function capacityOf(
  { principal, roles }: Caller,
  asker: string,
  named: readonly string[] = [],
): SettledBy {
  if (principal === asker) return 'agent';
  if (!named.includes(principal)) return 'admin';
  return (['operator', 'agent', 'user'] as const).find((role) => roles.includes(role)) ?? 'admin';
}
