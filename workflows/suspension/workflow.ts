import {
  CancellationScope,
  condition,
  defineSignal,
  log,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { DueDeadline } from '../../contracts/portfolio.js';
import type { Answer } from '../../domain/suspension/answer.js';
import { isInstant } from '../../domain/kernel/message-form.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import type { LiveView } from '../../contracts/suspension-view.js';
import { judgeEligibility } from '../../domain/suspension/eligibility.js';
import {
  arrivalOf,
  isAnswer,
  isEligibilityRequest,
  isWithdrawal,
} from '../../domain/suspension/message-form.js';
import {
  expireForDeadline,
  isDeadline,
  judgeCancel,
  withdrawalBy,
} from '../../domain/suspension/state.js';
import type { SuspensionState } from '../../domain/suspension/state.js';
import { now } from '../engine/clock.js';
import {
  demand,
  logMalformed,
  onRepeatable,
  refuseMoving,
  wellFormed,
} from '../engine/handlers.js';
import { writeSignal } from '../engine/messages.js';
import { run } from '../engine/run.js';
import { judgeSpace } from '../engine/space.js';
import type { SuspensionRun } from './carried.js';
import {
  attachSignal,
  cancelUpdate,
  changeEligibilityUpdate,
  expireNowSignal,
  forgetSignal,
  operatorResponseSignal,
  outcomeUpdate,
  progressQuery,
  recordQuery,
  respondUpdate,
  timelinePositionQuery,
  timelineQuery,
  withdrawSignal,
} from './messages.js';
import type {
  CancelInput,
  CancelReceipt,
  EligibilityInput,
  OperatorAnswer,
  Outcome,
  RespondReceipt,
  SuspensionResult,
  Withdrawal,
} from './messages.js';
import { Question } from './question.js';
import { registerVerbs } from './verbs.js';

/**
 * A question that waits until enough answers agree, which is one by default: it reminds and escalates by its schedule, expires at its
 * deadline, reports to its subject, and returns how it ended (RFC-0025, RFC-0026 §4).
 */
export async function suspension(input: SuspensionRun): Promise<SuspensionResult> {
  const question = await run(input, {
    begin() {
      const question = new Question(input);
      registerSignals(question);
      registerHandlers(question);
      registerVerbs(question);
      return question;
    },
    // A cancellation through Temporal itself is a withdrawal by an administrator.
    cancel(question) {
      const reason = 'cancelled through Temporal';
      takeCancel(question, { cancelled_by: 'temporal', settled_by: 'admin', reason });
    },
    finish: (question) => question.finish(),
  });
  return question.result;
}

/** Updates and Queries. Handlers never throw; only validators refuse. */
function registerHandlers(question: Question): void {
  setHandler(respondUpdate, (answer) => respond(question, answer), {
    validator: (answer: OperatorAnswer) => {
      if (!isAnswer(answer)) demand(NO_ANSWER);
      demand(judgeSpace(answer));
      demand(question.judge(answer, question.dueState(now()), now()));
      refuseMoving(question.moving && !question.settled);
    },
    description: 'Answer the question',
  });
  onRepeatable(
    question.repeats,
    cancelUpdate,
    'Withdraw the question',
    (cancel) => demand(judgeSpace(cancel)),
    (cancel) => {
      const withdrawal = demand(withdrawalBy(cancel, question.askedBy));
      demand(judgeCancel(question.dueState(now()), withdrawal, now()));
      refuseMoving(question.moving);
    },
    (cancel) => withdraw(question, cancel),
  );
  onRepeatable(
    question.repeats,
    changeEligibilityUpdate,
    'Change who may answer',
    (change) => {
      if (!isEligibilityRequest(change)) demand(NO_ELIGIBILITY);
      demand(judgeSpace(change));
    },
    (change) => {
      demand(eligibilityBy(question, change));
      refuseMoving(question.moving);
    },
    (change) => changeEligibility(question, change),
  );
  setHandler(outcomeUpdate, () => outcome(question), { description: 'Wait for the outcome' });
  setHandler(recordQuery, () => question.view);
  setHandler(progressQuery, () => question.progress);
  setHandler(timelineQuery, () => question.timeline.entries);
  setHandler(timelinePositionQuery, () => timelinePosition(question));
}

/**
 * Signals that came before this run's first task are taken in the order in which they came. Handlers of their own
 * would get them one kind after the other, and a withdrawal would lose to a later answer.
 */
function registerSignals(question: Question): void {
  const takers = new Map<string, (message: unknown) => void>([
    [operatorResponseSignal.name, (answer) => handIn(question, answer)],
    [
      withdrawSignal.name,
      wellFormed(withdrawSignal, isWithdrawal, (cancel) => takeCancel(question, cancel)),
    ],
    [
      expireNowSignal.name,
      wellFormed(expireNowSignal, isDeadline, (due) => expireNow(question, due)),
    ],
    [attachSignal.name, () => question.attach()],
    [writeSignal.name, () => question.write()],
    [forgetSignal.name, wellFormed(forgetSignal, isInstant, (at) => question.forget(at))],
  ]);
  setDefaultSignalHandler((name, message) => {
    const take = takers.get(name);
    if (take) take(message);
    else log.warn('signal_unknown', { signal: name });
  });
  setDefaultSignalHandler(undefined);
  for (const [name, take] of takers) setHandler(defineSignal<[unknown]>(name), take);
}

async function respond(question: Question, answer: OperatorAnswer): Promise<RespondReceipt> {
  const { accepted, verdict, repeated } = demand(takeAnswer(question, answer, now()));
  if (!repeated) question.ending.settledByUpdate(answer);
  await question.reported();
  const { result, answer: counted } = accepted;
  return { verdict, result, body_hash: counted.body_hash, ...question.ending.awaitedBy };
}

async function withdraw(question: Question, cancel: CancelInput): Promise<CancelReceipt> {
  const withdrawal = demand(withdrawalBy(cancel, question.askedBy));
  const { record } = demand(takeCancel(question, withdrawal));
  question.ending.settledByUpdate(cancel);
  await question.reported();
  return { record, intent_id: question.state.intent_id, ...question.ending.awaitedBy };
}

function eligibilityBy(question: Question, input: EligibilityInput) {
  const changes = question.timeline.count('eligibility_changed');
  return judgeEligibility(question.dueState(now()), input, changes, question.attended.askers);
}

function changeEligibility(question: Question, input: EligibilityInput): LiveView {
  const eligibility = demand(eligibilityBy(question, input));
  question.changeEligibility(eligibility, input);
  return question.view;
}

/** How far the timeline has come. A settled question may have handed its last rows to its intent. */
function timelinePosition({ timeline: { end }, unwritten, settled }: Question) {
  const first = unwritten.find((row) => row.kind === 'timeline');
  const written = (first?.entry.sequence ?? end.last_sequence + 1) - 1;
  return { ...end, written_sequence: settled ? 0 : written };
}

const NO_ELIGIBILITY = refuse('invalid_request', 'The message does not say who is eligible.');

/** Waits on when the workflow itself is cancelled: that settles the question, and is the outcome. */
async function outcome(question: Question): Promise<Outcome> {
  await CancellationScope.nonCancellable(() =>
    condition(() => question.settled !== undefined || question.moving),
  );
  if (!question.settled) return { moved: true };
  return { moved: false, view: question.view };
}

const NO_ANSWER = refuse('invalid_request', 'The message is not an answer.');

/** An answer that comes by Signal: nobody waits for a refusal, so the timeline shows it. */
function handIn(question: Question, answer: unknown): void {
  if (!isAnswer(answer)) {
    logMalformed(operatorResponseSignal);
    question.reject(NO_ANSWER.refusal);
    return;
  }
  if (!judgeSpace(answer).ok) {
    logMalformed(operatorResponseSignal);
    return;
  }
  const { received_at } = answer as OperatorAnswer;
  const at = arrivalOf(received_at, question.state.record.suspended_at, now());
  const ruling = takeAnswer(question, answer, at);
  if (!ruling.ok) question.reject(ruling.refusal, answer);
}

/** The same rule for answers by Update and by Signal. */
function takeAnswer(question: Question, answer: Answer, at: number) {
  return question.takeAnswer(answer, at);
}

function takeCancel(question: Question, cancel: Withdrawal) {
  const at = now();
  const { cancelled_by, reason } = cancel;
  const detail = { cancelled_by, ...(reason !== undefined && { reason }) };
  return question.settle(at, (due) => judgeCancel(due, cancel, at), ['cancelled', detail]);
}

const TOO_LATE = refuse('suspension_settled', 'The question is settled.');

/** Ends the question as of the deadline of a portfolio. */
function expireNow(question: Question, { portfolio_id, deadline }: DueDeadline): void {
  const at = arrivalOf(deadline, question.state.record.suspended_at, now());
  const detail = { reason: PORTFOLIO_DEADLINE, portfolio_id, deadline };
  const judge = (due: SuspensionState) => {
    const state = expireForDeadline(due, at);
    return state ? ok({ state }) : TOO_LATE;
  };
  question.settle(at, judge, ['expired', detail]);
}
