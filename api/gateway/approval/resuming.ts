import type { ResumeRequest } from '../../../contracts/approval-requests.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import { judgeResume } from '../../../domain/approval/request.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { RefusalError, demand, refusalOf } from '../../errors.js';
import type { Caller } from '../caller.js';
import { DeadlinePassed, READ_MS, withinDeadline } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { createAnswers } from '../suspension/answers.js';
import { refused } from '../refusals.js';
import type { Noted } from './noted.js';
import type { ReadApproval } from './reads.js';
import { opened } from './request-opening.js';

interface Deps {
  readonly clock: Clock;
  readonly temporal: Pick<Temporal, 'update'>;
  readonly readApproval: ReadApproval;
  readonly noted: Noted;
  readonly answers: Pick<ReturnType<typeof createAnswers>, 'respond'>;
}

const BETWEEN_LOOKS_MS = 40;
/** Where the data of a decision are in the answer that it becomes, and in the request. */
const ANSWER_DATA = 'metadata.data';
const DATA = 'data';

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
    return await withinDeadline(clock, READ_MS, look);
  } catch (error) {
    if (error instanceof DeadlinePassed) return (await readApproval(approval_id)).value;
    throw error;
  }
}

/** A refusal of the answer names the field of the request. */
function inRequest(error: unknown): unknown {
  const refusal = refusalOf(error);
  const { field } = refusal ?? {};
  if (refusal === undefined || field?.startsWith(ANSWER_DATA) !== true) return error;
  const detail = refusal.detail.replace(ANSWER_DATA, DATA);
  return new RefusalError({ ...refusal, detail, field: field.replace(ANSWER_DATA, DATA) });
}

/** Decides about requests of agents that are not on Temporal: a decision is an answer to the open question. */
export function createResuming(deps: Deps) {
  const { readApproval, answers, noted } = deps;
  /** Somebody decided first: the refusal says how. */
  async function tooLate(
    view: ApprovalView,
    request: ResumeRequest,
    error: unknown,
  ): Promise<never> {
    if (refusalOf(error)?.code !== 'suspension_settled') throw error;
    const value = await takenIn(deps, view);
    demand(judgeResume(value, request));
    throw error;
  }

  return {
    /**
     * Decides about all calls of a request, by its id alone. Throws `approval_not_found`, `forbidden`, what `judgeResume`
     * refuses, and what the answer is refused with.
     */
    async resumeRequest(
      caller: Caller,
      requestId: string,
      request: ResumeRequest,
    ): Promise<ApprovalView> {
      const { value: read } = await readApproval(requestId);
      const initiator = read.proposal.on_behalf_of;
      demand(authorize(caller, 'resumeRequest', { initiator }));
      if (request.run_id !== undefined && request.run_id !== read.proposal.run_id) {
        throw refused('approval_not_found', 'The run has no such approval.', { field: 'run_id' });
      }
      // Between two tiers, and while its end is checked, nobody is asked.
      const view = await opened(deps, caller, requestId, read);
      const { value, proposal_hash } = demand(judgeResume(view, request));
      const { suspension_id } = view;
      if (suspension_id === null) {
        throw refused('workflow_unavailable', 'Nobody is asked at this moment.');
      }
      const { comment, data, approver } = request;
      const metadata: JsonObject = {
        ...(comment !== undefined && { comment }),
        ...(data !== undefined && { data }),
      };
      const answer = {
        suspension_id,
        value,
        proposal_hash,
        ...(approver !== undefined && { responded_by: approver }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      };
      const outcome = await answers
        .respond(caller, undefined, answer)
        .catch((error: unknown) => tooLate(view, request, inRequest(error)));
      const isCounted = outcome.accepted && outcome.result.resolution === undefined;
      const decided = isCounted ? (await readApproval(requestId)).value : await takenIn(deps, view);
      await noted(decided);
      return decided;
    },
  };
}
