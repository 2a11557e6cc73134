import type { UpdateDefinition } from '@temporalio/common';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import {
  isClaiming,
  isReleasing,
  judgeClaim,
  judgeRelease,
} from '../../domain/suspension/people/claim.js';
import { isAmending, judgeAmendment } from '../../domain/suspension/asking/amendment.js';
import { isCommenting, judgeComment } from '../../domain/suspension/people/comments.js';
import { isDelegating, judgeDelegation } from '../../domain/suspension/people/delegation.js';
import { refuse } from '../../domain/kernel/ruling.js';
import type { Attended, Deed, Doing } from '../../domain/suspension/people/verb.js';
import { now } from '../engine/clock.js';
import {
  demand,
  logMalformed,
  onRepeatable,
  refuseMoving,
  wellFormed,
} from '../engine/handlers.js';
import { judgeSpace } from '../engine/space.js';
import {
  amendUpdate,
  attachSignal,
  cancelUpdate,
  changeEligibilityUpdate,
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  expireNowSignal,
  forgetSignal,
  operatorResponseSignal,
  outcomeUpdate,
  progressQuery,
  recordQuery,
  releaseUpdate,
  respondUpdate,
  restoreSignal,
  timelinePositionQuery,
  timelineQuery,
  withdrawSignal,
  type CancelInput,
  type CancelReceipt,
  type EligibilityInput,
  type OperatorAnswer,
  type Outcome,
  type RespondReceipt,
  type SuspensionResult,
  type Withdrawal,
} from './messages.js';
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

import { isInstant, isWorkflowId } from '../../domain/kernel/message-form.js';
import { judgeReply } from '../../domain/suspension/answering/resume.js';
import { judgeEligibility } from '../../domain/suspension/people/eligibility.js';
import {
  arrivalOf,
  isAnswer,
  isEligibilityRequest,
  isKnownOutcome,
  isWithdrawal,
} from '../../domain/suspension/record/message-form.js';
import { withOutcome, type KnownOutcome } from '../../domain/suspension/record/known-outcome.js';
import {
  expireForDeadline,
  isDeadline,
  judgeCancel,
  withdrawalBy,
} from '../../domain/suspension/record/state.js';
import { writeSignal } from '../engine/messages.js';
import { run } from '../engine/run.js';
import type { SuspensionRun } from './carried.js';
import { Question } from './question.js';

const MALFORMED = refuse('invalid_request', 'The message does not say what is to be done.');

function registerVerbs(question: Question): void {
  onVerb(question, claimUpdate, 'Claim the question', isClaiming, judgeClaim);
  onVerb(question, releaseUpdate, 'End a claim or a delegation', isReleasing, judgeRelease);
  onVerb(question, commentUpdate, 'Comment on the question', isCommenting, judgeComment);
  onVerb(question, amendUpdate, 'Correct the question', isAmending, judgeAmendment);
  onVerb(question, delegateUpdate, 'Pass the question on', isDelegating, judgeDelegation);
}

/**
 * Registers one verb. Its validator applies the rule, after everything due was settled, and a refusal leaves no
 * trace. It replies once the waiting intent has the report, so that a read of the intent's log shows it.
 */
function onVerb<Input extends Doing>(
  question: Question,
  update: UpdateDefinition<LiveView, [Input]>,
  description: string,
  isWellFormed: (message: unknown) => boolean,
  judge: (attended: Attended, input: Input, now: number) => Ruling<Deed>,
): void {
  const check = (input: Input): void => {
    if (!isWellFormed(input)) demand(MALFORMED);
    demand(judgeSpace(input));
    demand(judge(question.attended, input, now()));
    refuseMoving(question.moving);
  };
  onRepeatable(question.repeats, update, description, judgeSender, check, async (input) => {
    question.take(demand(judge(question.attended, input, now())), input);
    await question.duty.reported(question);
    return question.view;
  });
}

function judgeSender(input: Doing): void {
  demand(judgeSpace(input));
}

/**
 * A question that waits until enough answers agree, by default one: it reminds and escalates by its schedule, expires
 * at its deadline, reports to its subject, and returns how it ended (RFC-0025, RFC-0026 §4).
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

/** Registers Updates and Queries. Handlers never throw; only validators refuse. */
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
 * Signals that arrived before this run's first task are handled in their order of arrival. Separate handlers would
 * get them one kind after the other, and a withdrawal would lose to a later answer.
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
    [attachSignal.name, (subject) => question.attach(isWorkflowId(subject) ? subject : undefined)],
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
  const rows = await question.leftToSettler();
  const { result, answer: counted } = accepted;
  return {
    verdict,
    result,
    body_hash: counted.body_hash,
    ...question.awaitedBy,
    ...defined({ rows }),
  };
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

/** The position of the timeline. A settled question may have left its last rows to its intent. */
function timelinePosition({ timeline: { end }, duty, settled }: Question) {
  const first = duty.unwritten.find((row) => row.kind === 'timeline');
  const written = (first?.entry.sequence ?? end.last_sequence + 1) - 1;
  return { ...end, written_sequence: settled ? 0 : written };
}

const NO_ELIGIBILITY = refuse('invalid_request', 'The message does not say who is eligible.');

/** Continues to wait if the workflow itself is cancelled, because that settles the question and is the outcome. */
async function outcome(question: Question): Promise<Outcome> {
  await CancellationScope.nonCancellable(() =>
    condition(() => question.settled !== undefined || question.moving),
  );
  if (!question.settled) return { moved: true };
  return { moved: false, view: question.view };
}

const NO_ANSWER = refuse('invalid_request', 'The message is not an answer.');

/** Handles an answer by Signal. Nobody waits for a refusal, so the timeline records it. */
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

/** Applies the stored outcome, as of its instant: what was due later did not happen. */
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
