import type { ResumeRequest } from '../../../contracts/approval-requests.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import { isAboutOpen } from '../../../domain/approval/meant-question.js';
import type { AskedApproval } from '../../../domain/approval/meant-question.js';
import { judgeResume } from '../../../domain/approval/request.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { demand, refusalOf } from '../../errors.js';
import type { RefusalError } from '../../errors.js';
import type { Caller } from '../caller.js';
import { DeadlinePassed, READ_MS, limitOf, withinDeadline } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { RespondOutcome, createAnswers } from '../suspension/answers.js';
import type { FromStore } from '../reads/from-store.js';
import { refused, writeUnavailable } from '../refusals.js';
import type { Noted } from './noted.js';
import type { ReadApproval } from './reads.js';
import { answerTo, createRepeats, mayRepeat } from './repeats.js';
import { opened } from './request-opening.js';

interface Deps {
  readonly clock: Clock;
  readonly fromStore: FromStore;
  readonly temporal: Pick<Temporal, 'update'>;
  readonly readApproval: ReadApproval;
  readonly noted: Noted;
  readonly answers: Pick<ReturnType<typeof createAnswers>, 'respond'>;
}

const BETWEEN_LOOKS_MS = 40;

/** The approval once it has ended or asks the next stage, as far as that comes within 2 s. */
async function takenIn(
  { clock, readApproval }: Pick<Deps, 'clock' | 'readApproval'>,
  before: ApprovalView,
): Promise<ApprovalView> {
  const { approval_id, suspension_id } = before;
  const look = async (): Promise<ApprovalView> => {
    for (;;) {
      const { value } = await readApproval(approval_id);
      const isAskedAnew = ![null, suspension_id].includes(value.suspension_id);
      if (value.status !== 'pending' || isAskedAnew) return value;
      await clock.sleep(BETWEEN_LOOKS_MS, new AbortController().signal);
    }
  };
  try {
    return await withinDeadline(clock, limitOf(clock, 'worker', READ_MS), look);
  } catch (error) {
    if (error instanceof DeadlinePassed) return (await readApproval(approval_id)).value;
    throw error;
  }
}

/** The answer to the open question that a decision becomes. Throws what `judgeResume` refuses. */
function answerOf(view: AskedApproval, caller: Caller, request: ResumeRequest) {
  const decision = demand(judgeResume(view, request, caller.principal));
  if (view.suspension_id === null) throw nobodyAsked();
  return answerTo(view.suspension_id, decision, request);
}

function nobodyAsked(): RefusalError {
  return refused('workflow_unavailable', 'Nobody is asked at this moment.');
}

function isUnknownQuestion(error: unknown): boolean {
  return refusalOf(error)?.code === 'suspension_not_found';
}

/** What became of a decision, and the approval as it was asked about. */
interface Sent {
  readonly view: ApprovalView;
  readonly outcome: RespondOutcome;
}

/** Sends decisions to the question that they are about. */
function createSending(deps: Omit<Deps, 'noted' | 'fromStore'>) {
  const { answers } = deps;
  /** That a decision is about another question than the open one is said by the workflow, with the votes that it has counted. */
  async function standing(
    view: AskedApproval,
    caller: Caller,
    request: ResumeRequest,
  ): Promise<AskedApproval> {
    const isTold = view.decided !== undefined || view.status !== 'pending';
    if (isTold || isAboutOpen(view, request)) return view;
    return opened(deps, caller, view.approval_id, undefined);
  }

  /** Somebody decided first, or the same decision came before: the refusal says how. */
  async function tooLate(
    view: ApprovalView,
    caller: Caller,
    request: ResumeRequest,
    error: unknown,
  ): Promise<never> {
    if (refusalOf(error)?.code !== 'suspension_settled') throw error;
    const value = await standing(await takenIn(deps, view), caller, request);
    demand(judgeResume(value, request, caller.principal));
    throw error;
  }

  async function sendTo(
    view: AskedApproval,
    caller: Caller,
    request: ResumeRequest,
    key?: string,
  ): Promise<Sent> {
    const answer = answerOf(view, caller, request);
    const outcome = await answers
      .respond(caller, undefined, answer, key)
      .catch((error: unknown) => tooLate(view, caller, request, error));
    return { view, outcome };
  }

  /** An approval names its question a moment before Temporal knows that: the decision waits for it, and is sent once more. */
  async function send(
    view: AskedApproval,
    caller: Caller,
    request: ResumeRequest,
    key?: string,
  ): Promise<Sent> {
    try {
      return await sendTo(view, caller, request, key);
    } catch (error) {
      if (!isUnknownQuestion(error)) throw error;
    }
    const asked = await opened(deps, caller, view.approval_id, undefined);
    return sendTo(asked, caller, request, key).catch((error: unknown) => {
      throw isUnknownQuestion(error) ? nobodyAsked() : error;
    });
  }

  return { standing, send };
}

/** Decides about requests of agents that are not on Temporal: a decision is an answer to the open question. */
export function createResuming(deps: Deps) {
  const { readApproval, noted } = deps;
  const { standing, send } = createSending(deps);
  const repeated = createRepeats(deps);

  /** Where no worker has judged the decision, and nothing came of it, nobody can say that it counts. */
  async function outcomeOf({ view, outcome }: Sent): Promise<ApprovalView> {
    const isCounted = outcome.accepted && outcome.result.resolution === undefined;
    if (isCounted) return (await readApproval(view.approval_id)).value;
    const decided = await takenIn(deps, view);
    if (!outcome.accepted && decided.status === 'pending') throw writeUnavailable();
    return decided;
  }

  async function decide(
    caller: Caller,
    requestId: string,
    request: ResumeRequest,
    key?: string,
  ): Promise<ApprovalView> {
    const { value: read } = await readApproval(requestId);
    const initiator = read.proposal.on_behalf_of;
    demand(authorize(caller, 'resumeRequest', { initiator }));
    if (request.run_id !== undefined && request.run_id !== read.proposal.run_id) {
      throw refused('approval_not_found', 'The run has no such approval.', { field: 'run_id' });
    }
    // Between two tiers, and while its end is checked, nobody is asked.
    const asked = await opened(deps, caller, requestId, read);
    const view = await standing(asked, caller, request);
    const decided = await outcomeOf(await send(view, caller, request, key));
    await noted(decided);
    return decided;
  }

  return {
    /**
     * Decides about all calls of a request, by its id: about the question that the decision names, or about the first stage.
     * A repetition under the same `Idempotency-Key` decides nothing, and gets the approval as it stands. Throws
     * `approval_not_found`, `forbidden`, what `judgeResume` refuses, what the answer is refused with, and
     * `workflow_unavailable`: the decision may then count all the same.
     */
    async resumeRequest(
      caller: Caller,
      requestId: string,
      request: ResumeRequest,
      idempotencyKey?: string,
    ): Promise<ApprovalView> {
      try {
        return await decide(caller, requestId, request, idempotencyKey);
      } catch (error) {
        if (idempotencyKey === undefined || !mayRepeat(error)) throw error;
        return repeated(caller, requestId, request, idempotencyKey, error);
      }
    },
  };
}
