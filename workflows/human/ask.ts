import { InvalidAskError, questionOf, resultOf } from '../../contracts/constants/ask.js';
import { defined } from '../../contracts/constants/defined.js';
import type {
  AnyAskResult,
  AskChoice,
  AskOptions,
  AskResult,
  ChoiceOptions,
  ConfirmOptions,
  ConfirmResult,
  TextOptions,
  ValueOfChoice,
} from '../../contracts/suspension/ask.js';
import { failureOf } from '../engine/handlers.js';
import { InputCancelledError, endWithoutAnswer } from './errors.js';
import type { InSpace, InputHooks, PauseOptions } from './hooks.js';
import { awaitSettled, openInput } from './request-input.js';
import type { PauseEnd } from '../../contracts/suspension/pause-requests.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import { pauseEnd } from '../../domain/suspension/asking/pause.js';

/** How a workflow asks, besides the question. It needs no key, because its history remembers the question. */
export interface AskCall extends InSpace {
  readonly hooks?: InputHooks;
}

/**
 * Asks people, waits for as long as it takes, and returns the answer: yes or no, unless the options have `choices`, `text` or
 * `form`. Returns the `fallback`, if there is one, where nobody answers in time. Several questions may be asked at once.
 *
 * Throws InputTimeoutError if nobody answers in time and there is no fallback, InputCancelledError if somebody withdraws the
 * question, or an ApplicationFailure with the code of what is wrong with it. If the workflow or its scope is cancelled, it withdraws
 * the question and throws the cancellation.
 */
export function ask(question: string, options?: ConfirmOptions & AskCall): Promise<ConfirmResult>;
export function ask<const Choice extends AskChoice>(
  question: string,
  options: ChoiceOptions<Choice> & AskCall,
): Promise<AskResult<ValueOfChoice<Choice>>>;
export function ask(question: string, options: TextOptions & AskCall): Promise<AskResult<string>>;
export function ask(question: string, options: AskOptions & AskCall): Promise<AnyAskResult>;
export async function ask(
  question: string,
  { hooks = {}, space, ...options }: AskOptions & AskCall = {},
): Promise<AnyAskResult> {
  const asked = askedQuestion(question, options);
  const id = await openInput({ ...asked, hooks, ...defined({ space }) });
  const settled = await awaitSettled(id);
  const result = resultOf(settled.record);
  if (result === undefined) throw endWithoutAnswer(settled);
  return result;
}

/** Why a workflow cannot use options of `ask` over HTTP. */
const NOT_HERE = {
  key: 'A workflow needs no key: its history remembers the question.',
  signal: 'A workflow needs no signal: cancel the scope in which it asks.',
};

function askedQuestion(question: string, options: AskOptions) {
  for (const [field, detail] of Object.entries(NOT_HERE)) {
    if (!Object.hasOwn(options, field)) continue;
    throw failureOf({ code: 'invalid_request', detail, field, accepted: `no ${field}` });
  }
  try {
    return questionOf(question, options, ['hooks', 'space']);
  } catch (error) {
    throw error instanceof InvalidAskError ? failureOf(error.refusal) : error;
  }
}

/**
 * Suspends the workflow for another reason than a question to people (JC-47), until its `resume_signal` arrives or
 * its time is over, and returns the outcome: `resumed` with the data of the signal, or its `timeout_outcome` with
 * null. Nobody is notified. Throws InputCancelledError if it is withdrawn, an ApplicationFailure with an error code
 * for invalid options, and the cancellation of the workflow or its scope.
 */
export async function pause(options: PauseOptions): Promise<PauseEnd> {
  return awaitPause(await openPause(options));
}

/**
 * Opens a pause and returns its id once it is durable. `awaitPause` waits for it, in this run or one that continues
 * it.
 */
export async function openPause(options: PauseOptions): Promise<string> {
  return openInput(options);
}

/** Waits for a pause of this workflow as `pause` does. `space` must be passed again in a new run. */
export async function awaitPause(suspensionId: string, { space }: InSpace = {}): Promise<PauseEnd> {
  const { record, attempt } = await awaitSettled(suspensionId, { space });
  if (record.resolution === 'cancelled' || endedByDeadline(record)) {
    throw new InputCancelledError(record, attempt);
  }
  return pauseEnd(record);
}
