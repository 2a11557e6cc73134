import type { ResumeReply, ResumeRequest } from '../contracts/approval/requests.js';
import type { RequestAction } from '../contracts/constants/approvals.js';
import type { JsonObject } from '../contracts/kernel/primitives.js';
import { pathOf, type Connection } from './connection.js';
import { decisionErrorOf } from './approval-errors.js';
import { defined } from '../contracts/constants/defined.js';

/** A request by its run: the approval must belong to this run. */
export interface RunRequest {
  readonly runId: string;
  readonly approvalId: string;
}

/** A person's decision about all calls of a request. */
export interface Decision {
  readonly decision: RequestAction;
  readonly reason?: string | undefined;
  /** The approver: the principal of the key, unless an admin submits the decision of another. */
  readonly approver?: string | undefined;
  /** The data that the person has filled in, which must fit the `response_schema` of the request. */
  readonly data?: JsonObject | undefined;
  /** The hash of the proposal that the person has seen; by default that of the first one. */
  readonly proposalHash?: string | undefined;
  /** The question that the person has seen. Without it, only the first stage can be decided. */
  readonly suspensionId?: string | undefined;
  /** The ids of the calls; if given, it must be all of them. */
  readonly calls?: readonly string[] | undefined;
}

/** Sends a decision to the one endpoint for all kinds of requests. Throws a DecisionError. */
export async function resumeRequest(
  connection: Connection,
  request: string | RunRequest,
  decision: Decision,
): Promise<ResumeReply> {
  const byRun = typeof request !== 'string';
  const path = pathOf('requests', byRun ? request.approvalId : request, '/resume');
  const body = { ...bodyOf(decision), ...(byRun && { run_id: request.runId }) };
  try {
    return await connection.write<ResumeReply>('POST', path, { body });
  } catch (error) {
    throw decisionErrorOf(error);
  }
}

function bodyOf(given: Decision) {
  const { decision, reason, approver, data, proposalHash, suspensionId, calls } = given;
  const body: ResumeRequest = {
    action: decision,
    ...defined({
      comment: reason,
      approver,
      data,
      proposal_hash: proposalHash,
      suspension_id: suspensionId,
      calls: calls && [...calls],
    }),
  };
  return body;
}
