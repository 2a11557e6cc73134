import type { ResumeReply, ResumeRequest } from '../contracts/approval-requests.js';
import type { RequestAction } from '../contracts/constants/approvals.js';
import type { JsonObject } from '../contracts/primitives.js';
import { pathOf } from './connection.js';
import type { Connection } from './connection.js';
import { decisionErrorOf } from './decision-errors.js';

/** A request as the run knows it: the approval has to be of this run. */
export interface RunRequest {
  readonly runId: string;
  readonly approvalId: string;
}

/** What a person has decided about all calls of a request. */
export interface Decision {
  readonly decision: RequestAction;
  readonly reason?: string | undefined;
  /** Who decided: the principal of the key, unless an admin brings the decision of another one. */
  readonly approver?: string | undefined;
  /** What the person has filled in; it has to fit the `response_schema` of the request. */
  readonly data?: JsonObject | undefined;
  /** The hash of what the person has seen; that of the first proposal unless given. */
  readonly proposalHash?: string | undefined;
  /** The question that the person has seen. Without it the first stage is decided, and no later one. */
  readonly suspensionId?: string | undefined;
  /** The ids of the calls, if they are named: all of them. */
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
    ...(reason !== undefined && { comment: reason }),
    ...(approver !== undefined && { approver }),
    ...(data !== undefined && { data }),
    ...(proposalHash !== undefined && { proposal_hash: proposalHash }),
    ...(suspensionId !== undefined && { suspension_id: suspensionId }),
    ...(calls !== undefined && { calls: [...calls] }),
  };
  return body;
}
