import {
  CancellationScope,
  condition,
  defineSignal,
  log,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { DueDeadline } from '../../contracts/portfolio/portfolio.js';
import { isInstant } from '../../domain/kernel/message-form.js';
import { refuse } from '../../domain/kernel/ruling.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import { judgeReply } from '../../domain/suspension/answering/resume.js';
import { judgeEligibility } from '../../domain/suspension/people/eligibility.js';
import {
  arrivalOf,
  isAnswer,
  isEligibilityRequest,
  isKnownOutcome,
  isWithdrawal,
} from '../../domain/suspension/record/message-form.js';
import { withOutcome } from '../../domain/suspension/record/known-outcome.js';
import type { KnownOutcome } from '../../domain/suspension/record/known-outcome.js';
import {
  expireForDeadline,
  isDeadline,
  judgeCancel,
  withdrawalBy,
} from '../../domain/suspension/record/state.js';
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
  restoreSignal,
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
    finish: ({ publishing }) => publishing.finish(),
  });
  return question.result;
}

/** Updates and Queries. Handlers never throw; only validators refuse. */
function registerHandlers(question: Question): void {
  setHandler(respondUpdate, (answer) => respond(question, answer), {
    validator: (answer: OperatorAnswer) => {
      if (!isAnswer(answer)) demand(NO_ANSWER);
      demand(judgeSpace(answer));
      demand(judgeReply(question.dueState(now()), answer, now(), question.asked));
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
      const withdrawal = demand(withdrawalBy(cancel, question.asked.asked_by));
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
  setHandler(progressQuery, () => question.publishing.progress);
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
    [
      restoreSignal.name,
      wellFormed(restoreSignal, isKnownOutcome, (known) => restore(question, known)),
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
  const { accepted, verdict, repeated } = demand(question.takeAnswer(answer, now()));
  if (!repeated) question.duty.settledByUpdate(answer);
  await question.duty.reported(question);
  const { result, answer: counted } = accepted;
  return { verdict, result, body_hash: counted.body_hash, ...question.awaitedBy };
}

async function withdraw(question: Question, cancel: CancelInput): Promise<CancelReceipt> {
  const withdrawal = demand(withdrawalBy(cancel, question.asked.asked_by));
  const { record } = demand(takeCancel(question, withdrawal));
  question.duty.settledByUpdate(cancel);
  await question.duty.reported(question);
  return { record, intent_id: question.state.intent_id, ...question.awaitedBy };
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
function timelinePosition({ timeline: { end }, duty, settled }: Question) {
  const first = duty.unwritten.find((row) => row.kind === 'timeline');
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
  const ruling = question.takeAnswer(answer, at);
  if (!ruling.ok) question.reject(ruling.refusal, answer);
}

function takeCancel(question: Question, cancel: Withdrawal) {
  const at = now();
  const { cancelled_by, reason } = cancel;
  const ruling = judgeCancel(question.dueState(at), cancel, at);
  const detail = { cancelled_by, ...defined({ reason }) };
  if (ruling.ok) question.settle(ruling.value.state, at, ['cancelled', detail]);
  return ruling;
}

/** Takes over the outcome that the store has, as of its instant: what was due later did not happen. */
function restore(question: Question, known: KnownOutcome): void {
  const { settled_at } = known.settlement;
  const at = arrivalOf(settled_at, question.state.record.suspended_at, now());
  const restored = withOutcome(question.dueState(at), known);
  if (restored) question.settle(restored.state, at, restored.entry);
}

/** Ends the question as of the deadline of a portfolio, unless it is settled. */
function expireNow(question: Question, { portfolio_id, deadline }: DueDeadline): void {
  const at = arrivalOf(deadline, question.state.record.suspended_at, now());
  const detail = { reason: PORTFOLIO_DEADLINE, portfolio_id, deadline };
  const state = expireForDeadline(question.dueState(at), at);
  if (state) question.settle(state, at, ['expired', detail]);
}
