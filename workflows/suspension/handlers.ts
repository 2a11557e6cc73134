import {
  CancellationScope,
  condition,
  log,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { DueDeadline } from '../../contracts/portfolio.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Refusal } from '../../contracts/problem.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { refuse } from '../../domain/kernel/ruling.js';
import { arrivalOf, isAnswer, isWithdrawal } from '../../domain/suspension/message-form.js';
import {
  expireForDeadline,
  isDeadline,
  judgeAnswer,
  judgeCancel,
} from '../../domain/suspension/state.js';
import { now } from '../engine/clock.js';
import { demand, refuseMoving } from '../engine/handlers.js';
import {
  attachSignal,
  cancelUpdate,
  expireNowSignal,
  operatorResponseSignal,
  outcomeUpdate,
  recordQuery,
  respondUpdate,
  timelineQuery,
  withdrawSignal,
} from './messages.js';
import type { CancelInput, OperatorAnswer, Outcome, RespondReceipt } from './messages.js';
import type { Question } from './question.js';

const NO_ANSWER = refuse('invalid_request', 'The message is not an answer.');

/** Registers every message of the suspension. Handlers never throw; only validators refuse. */
export function registerHandlers(question: Question): void {
  takeEarlySignals(question);
  setHandler(respondUpdate, (answer) => respond(question, answer), {
    validator: (answer: OperatorAnswer) => {
      if (!isAnswer(answer)) demand(NO_ANSWER);
      demand(judgeAnswer(question.dueState(now()), answer, now()));
      refuseMoving(question.moving && !question.settled);
    },
    description: 'Answer the question',
  });
  setHandler(operatorResponseSignal, (answer) => {
    handIn(question, answer);
  });
  setHandler(cancelUpdate, (cancel) => cancelled(question, cancel), {
    validator: (cancel: CancelInput) => {
      demand(judgeCancel(question.dueState(now()), cancel, now()));
      refuseMoving(question.moving);
    },
    description: 'Withdraw the question',
  });
  setHandler(withdrawSignal, (cancel) => {
    withdraw(question, cancel);
  });
  setHandler(expireNowSignal, (deadline) => {
    expireNow(question, deadline);
  });
  setHandler(attachSignal, () => {
    question.report();
  });
  setHandler(outcomeUpdate, () => outcome(question), { description: 'Wait for the outcome' });
  setHandler(recordQuery, () => question.view);
  setHandler(timelineQuery, () => question.timeline.entries);
}

/**
 * Signals that came before this run's first task are taken in the order in which they came; the handlers
 * of their own would get them one kind after the other, and a withdrawal lose to a later answer.
 */
function takeEarlySignals(question: Question): void {
  setDefaultSignalHandler((name, message) => {
    if (name === operatorResponseSignal.name) handIn(question, message as OperatorAnswer);
    else if (name === withdrawSignal.name) withdraw(question, message as CancelInput);
    else if (name === expireNowSignal.name) expireNow(question, message as DueDeadline);
    else if (name === attachSignal.name) question.report();
    else log.warn('signal_unknown', { signal: name });
  });
  setDefaultSignalHandler(undefined);
}

async function respond(question: Question, answer: OperatorAnswer): Promise<RespondReceipt> {
  const { accepted } = demand(takeAnswer(question, answer, now()));
  await question.reported();
  return { result: accepted.result, body_hash: accepted.answer.body_hash };
}

async function cancelled(question: Question, cancel: CancelInput): Promise<SettledRecord> {
  const { record } = demand(takeCancel(question, cancel));
  await question.reported();
  return record;
}

/** Waits on when the workflow itself is cancelled: that settles the question, and is the outcome. */
async function outcome(question: Question): Promise<Outcome> {
  await CancellationScope.nonCancellable(() =>
    condition(() => question.settled !== undefined || question.moving),
  );
  if (!question.settled) return { moved: true };
  return { moved: false, view: question.view };
}

/** An answer that comes by Signal: nobody waits for a refusal, so it is recorded. */
function handIn(question: Question, answer: OperatorAnswer): void {
  if (!isAnswer(answer)) {
    question.reject(rejection({}, NO_ANSWER.refusal));
    return;
  }
  const at = arrivalOf(answer.received_at, question.state.record.suspended_at, now());
  const ruling = takeAnswer(question, answer, at);
  if (!ruling.ok) question.reject(rejection(answer, ruling.refusal));
}

/**
 * Judges an answer as of `at` (ms), with what was due by then settled: one rule for both doors. What is
 * refused changes nothing, so that it cannot take the place of a later message that came in earlier.
 */
function takeAnswer(question: Question, answer: OperatorAnswer, at: number) {
  const ruling = judgeAnswer(question.dueState(at), answer, at);
  if (ruling.ok && !ruling.value.repeated) {
    const { responded_by, submitted_by } = answer;
    question.settleDue(at, true);
    question.settle(ruling.value.state, 'answer_accepted', { responded_by, submitted_by });
  }
  return ruling;
}

function withdraw(question: Question, cancel: CancelInput): void {
  if (isWithdrawal(cancel)) takeCancel(question, cancel);
  else log.warn('withdrawal_unreadable');
}

function takeCancel(question: Question, cancel: CancelInput) {
  const at = now();
  const ruling = judgeCancel(question.dueState(at), cancel, at);
  if (ruling.ok) {
    question.settleDue(at, true);
    const { cancelled_by, reason } = cancel;
    const detail = { cancelled_by, ...(reason !== undefined && { reason }) };
    question.settle(ruling.value.state, 'cancelled', detail);
  }
  return ruling;
}

/** Ends the question as of the deadline, with what was due by then settled before. */
function expireNow(question: Question, message: DueDeadline): void {
  if (!isDeadline(message)) {
    log.warn('deadline_unreadable');
    return;
  }
  const { portfolio_id, deadline } = message;
  const at = arrivalOf(deadline, question.state.record.suspended_at, now());
  const state = expireForDeadline(question.dueState(at), at);
  if (!state) return;
  question.settleDue(at, true);
  question.settle(state, 'expired', { reason: PORTFOLIO_DEADLINE, portfolio_id, deadline });
}

function rejection(from: Partial<OperatorAnswer>, { code, detail }: Refusal): JsonObject {
  const { responded_by, submitted_by } = from;
  return {
    code,
    message: detail,
    ...(responded_by !== undefined && { responded_by }),
    ...(submitted_by !== undefined && { submitted_by }),
  };
}
