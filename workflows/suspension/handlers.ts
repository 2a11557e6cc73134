import { condition, setHandler } from '@temporalio/workflow';
import type { Refusal } from '../../contracts/refusal.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { judgeAnswer, judgeCancel } from '../../domain/suspension-state.js';
import { toMillis } from '../../domain/time.js';
import { demand, refuseMoving } from '../support/refusals.js';
import {
  cancelUpdate,
  operatorResponseSignal,
  outcomeUpdate,
  recordQuery,
  respondUpdate,
  timelineQuery,
  withdrawSignal,
  type CancelInput,
  type OperatorAnswer,
  type Outcome,
  type RespondReceipt,
} from './messages.js';
import type { Question } from './question.js';

/** Registers every door of the suspension. Handlers never throw; only validators refuse. */
export function registerHandlers(question: Question): void {
  setHandler(respondUpdate, (answer) => respond(question, answer), {
    validator: (answer: OperatorAnswer) => {
      demand(judgeAnswer(question.dueState(Date.now()), answer, Date.now()));
      refuseMoving(question.moving && !question.settled);
    },
    description: 'Answer the question',
  });
  setHandler(operatorResponseSignal, (answer) => {
    takeAnswer(question, answer, arrival(answer));
  });
  setHandler(cancelUpdate, (cancel) => cancelled(question, cancel), {
    validator: (cancel: CancelInput) => {
      demand(judgeCancel(question.dueState(Date.now()), cancel, Date.now()));
      refuseMoving(question.moving);
    },
    description: 'Withdraw the question',
  });
  setHandler(withdrawSignal, (cancel) => {
    takeCancel(question, cancel);
  });
  setHandler(outcomeUpdate, () => outcome(question), { description: 'Wait for the outcome' });
  setHandler(recordQuery, () => question.view);
  setHandler(timelineQuery, () => question.timeline.entries);
}

async function respond(question: Question, answer: OperatorAnswer): Promise<RespondReceipt> {
  const { accepted } = demand(takeAnswer(question, answer, Date.now()));
  await question.reported();
  return { result: accepted.result, body_hash: accepted.answer.body_hash };
}

async function cancelled(question: Question, cancel: CancelInput): Promise<SettledRecord> {
  const { record } = demand(takeCancel(question, cancel));
  await question.reported();
  return record;
}

async function outcome(question: Question): Promise<Outcome> {
  await condition(() => question.settled !== undefined || question.moving);
  if (!question.settled) return { moved: true };
  return { moved: false, view: question.view };
}

/** Settles what was due at `at` (ms), then judges the answer: one rule for both doors. */
function takeAnswer(question: Question, answer: OperatorAnswer, at: number) {
  const ruling = judgeAnswer(question.dueState(at), answer, at);
  question.settleDue(at, ruling.ok);
  if (!ruling.ok) question.reject(rejection(answer, ruling.refusal));
  else if (!ruling.value.repeated) {
    const { responded_by, submitted_by } = answer;
    question.settle(ruling.value.state, 'answer_accepted', { responded_by, submitted_by });
  }
  return ruling;
}

function takeCancel(question: Question, cancel: CancelInput) {
  const now = Date.now();
  const ruling = judgeCancel(question.dueState(now), cancel, now);
  question.settleDue(now, ruling.ok);
  if (ruling.ok) {
    const { cancelled_by, reason } = cancel;
    const detail = { cancelled_by, ...(reason !== undefined && { reason }) };
    question.settle(ruling.value.state, 'cancelled', detail);
  }
  return ruling;
}

/** An answer handed in by Signal counts from when the API received it, never from the future. */
function arrival(answer: OperatorAnswer): number {
  const received = toMillis(answer.received_at);
  return Number.isNaN(received) ? Date.now() : Math.min(Date.now(), received);
}

function rejection(answer: OperatorAnswer, { code, detail }: Refusal) {
  const { responded_by, submitted_by } = answer;
  return { code, message: detail, responded_by, submitted_by };
}
