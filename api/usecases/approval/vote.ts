import type { ResumeRequest } from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { isAboutOpen } from '../../../domain/approval/deciding/meant-question.js';
import type { AskedApproval } from '../../../domain/approval/deciding/meant-question.js';
import { judgeDecision } from '../../../domain/approval/deciding/request.js';
import type { RequestDecision } from '../../../domain/approval/deciding/request.js';
import { notesIn } from '../../../domain/suspension/answering/notes.js';
import { demand, refusalOf } from '../../errors.js';
import type { RefusalError } from '../../errors.js';
import { refused } from '../../parts/refusals.js';
import { respond } from '../suspension/respond.js';
import type { RespondOutcome } from '../suspension/respond.js';
import type { Call } from '../usecase.js';
import { standingOf, standingOrRead } from './standing.js';

/** A decision that was sent: its outcome, and the approval before it. */
export interface Sent {
  readonly view: ApprovalView;
  readonly outcome: RespondOutcome;
}

/** A decision, as an answer to one question of its approval. */
export type Vote = ReturnType<typeof answerTo>;

/** Returns the answer that a decision gives to a question. */
export function answerTo(
  suspension_id: string,
  { value, proposal_hash }: RequestDecision,
  request: ResumeRequest,
) {
  const { approver, despite_claim } = request;
  return {
    suspension_id,
    value,
    proposal_hash,
    ...(approver !== undefined && { responded_by: approver }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(request),
  };
}

/**
 * Sends a decision to its question. An approval names its question a moment before that takes answers: the decision then waits,
 * and is sent once more.
 */
export async function send(
  call: Call,
  view: AskedApproval,
  request: ResumeRequest,
  key?: string,
  hasWaited = false,
): Promise<Sent> {
  const decision = demand(judgeDecision(view, request, call.caller.principal));
  const { approval_id, suspension_id } = view;
  if (suspension_id === null) throw nobodyAsked();
  const vote = answerTo(suspension_id, decision, request);
  try {
    return { view, outcome: await respond.run(call, undefined, vote, key) };
  } catch (error) {
    const code = refusalOf(error)?.code;
    if (code === 'suspension_settled') {
      await demandUndecided(call, approval_id, suspension_id, request);
    }
    if (code !== 'suspension_not_found') throw error;
    if (hasWaited) throw nobodyAsked();
  }
  return send(call, await standingOf(call.parts, approval_id), request, key, true);
}

/** Returns the approval with its counted votes if the decision is about another question than the open one: the refusal names them. */
export async function withVotes(
  { parts }: Call,
  view: AskedApproval,
  request: ResumeRequest,
): Promise<AskedApproval> {
  const isTold = view.decided !== undefined || view.status !== 'pending';
  if (isTold || isAboutOpen(view, request)) return view;
  return standingOf(parts, view.approval_id);
}

/** Refuses a decision whose question is settled. The refusal says how: somebody decided first, or this decision came before. */
async function demandUndecided(
  call: Call,
  approvalId: string,
  past: string,
  request: ResumeRequest,
): Promise<void> {
  const { parts, caller } = call;
  const standing = await standingOrRead(parts, approvalId, { past });
  demand(judgeDecision(await withVotes(call, standing, request), request, caller.principal));
}

function nobodyAsked(): RefusalError {
  return refused('workflow_unavailable', 'Nobody is asked at this moment.');
}
