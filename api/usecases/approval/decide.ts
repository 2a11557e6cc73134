import type { ResumeRequest } from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import {
  isAboutOpen,
  type AskedApproval,
} from '../../../domain/approval/deciding/meant-question.js';
import {
  checkUndecided,
  decisionIn,
  judgeDecision,
  mayWithdraw,
  type RequestDecision,
} from '../../../domain/approval/deciding/request.js';
import { notesIn } from '../../../domain/suspension/answering/response.js';
import { RefusalError, demand, refusalOf } from '../../errors.js';
import { notFound, refused, writeUnavailable } from '../../parts/refusals.js';
import { respond, type RespondOutcome } from '../suspension/respond.js';
import { standingOf, standingOrRead } from './standing.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import { questionsOfApproval } from '../../../store/queries/approval.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { WRITE, useCase, type Call } from '../usecase.js';
import { withdrawApprovalUpdate } from '../../../workflows/approval/messages.js';
import { proven } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';

/** A decision that was sent: its outcome, and the approval before it. */
interface Sent {
  readonly view: ApprovalView;
  readonly outcome: RespondOutcome;
}

type Vote = ReturnType<typeof answerTo>;

function answerTo(
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
 * Sends a decision to its question. An approval names its question a moment before it takes answers: the decision
 * then waits, and is sent once more.
 */
async function send(
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

/**
 * Adds the counted votes to the approval if the decision is about another question than the open one, for the
 * refusal.
 */
async function withVotes(
  { parts }: Call,
  view: AskedApproval,
  request: ResumeRequest,
): Promise<AskedApproval> {
  const isTold = view.decided !== undefined || view.status !== 'pending';
  if (isTold || isAboutOpen(view, request)) return view;
  return standingOf(parts, view.approval_id);
}

/** Refuses a decision on a settled question, and says whether it came twice or somebody else decided first. */
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

/** Refusals that a repeated decision may get, because the first one has changed the approval. */
const BY_OUTCOME: ReadonlySet<ErrorCode | undefined> = new Set([
  'approval_decided',
  'stage_mismatch',
  'suspension_settled',
]);

/** Whether a refused decision may have counted already. */
function mayRepeat(error: unknown): boolean {
  return BY_OUTCOME.has(refusalOf(error)?.code);
}

/** Returns the approval if this decision has counted under its `Idempotency-Key`; throws `refusal` otherwise. */
async function repeated(
  call: Call,
  approvalId: string,
  request: ResumeRequest,
  key: string,
  refusal: unknown,
): Promise<ApprovalView> {
  const { value: view } = await call.parts.readApproval(approvalId);
  const asked = await call.parts.fromStore(questionsOfApproval, approvalId);
  for (const id of asked.filter((one) => one !== view.suspension_id)) {
    const answer = answerTo(id, decisionIn(view, request), request);
    if (await isCounted(call, answer, key)) return view;
  }
  throw refusal;
}

/** Whether a settled question has counted this decision under this key. Throws `idempotency_key_reused`. */
async function isCounted(call: Call, vote: Vote, key: string): Promise<boolean> {
  try {
    return (await respond.run(call, undefined, vote, key)).accepted;
  } catch (error) {
    const code = refusalOf(error)?.code;
    if (code === undefined || code === 'idempotency_key_reused') throw error;
    return false;
  }
}

/**
 * Approves or rejects all calls of a request by its id: a decision answers the question that it names, or that of the
 * first stage. A repetition under the same `Idempotency-Key` gets the approval as it is. Throws `approval_not_found`
 * and `forbidden` besides. After `workflow_unavailable` the decision may count all the same.
 */
export const resumeRequest = useCase({
  name: 'resumeRequest',
  resource: 'approval',
  refusals: [
    'not_eligible',
    'responded_by_mismatch',
    'approval_decided',
    'stage_mismatch',
    'already_voted',
    'claimed_by_other',
    'proposal_hash_mismatch',
    'invalid_value',
    'answer_too_large',
    ...WRITE,
  ],
  async run(
    call: Call,
    id: string,
    request: ResumeRequest,
    idempotencyKey?: string,
  ): Promise<ApprovalView> {
    const { caller, parts } = call;
    const { value: read } = await parts.readApproval(id);
    const initiator = read.proposal.on_behalf_of;
    demand(authorize(caller, 'resumeRequest', { initiator }));
    if (request.run_id !== undefined && request.run_id !== read.proposal.run_id) {
      throw refused('approval_not_found', 'The run has no such approval.', { field: 'run_id' });
    }
    // Between two tiers, and while its end is checked, nobody is asked.
    const isAnswerable = read.status !== 'pending' || read.suspension_id !== null;
    const asked = isAnswerable ? read : await standingOf(parts, id);
    const view = await withVotes(call, asked, request);
    try {
      const decided = await decidedBy(call, await send(call, view, request, idempotencyKey));
      if (decided.intent_id !== null) parts.consistency.touch(decided.intent_id);
      return decided;
    } catch (error) {
      if (idempotencyKey === undefined || !mayRepeat(error)) throw error;
      return repeated(call, id, request, idempotencyKey, error);
    }
  },
});

/**
 * Returns the approval after a decision. Without a worker that judged it, a pending approval does not show whether it
 * counts.
 */
async function decidedBy({ parts }: Call, { view, outcome }: Sent): Promise<ApprovalView> {
  if (outcome.accepted && outcome.approval) return outcome.approval;
  const { approval_id: id, suspension_id: past } = view;
  const isCounted = outcome.accepted && outcome.result.resolution === undefined;
  const until = { logged: true, ...(!isCounted && past !== null && { past }) } as const;
  const decided = await standingOrRead(parts, id, until);
  if (!outcome.accepted && decided.status === 'pending') throw writeUnavailable();
  return decided;
}

/**
 * Withdraws an approval and its open question, for the asker or an admin. An earlier decision counts. Throws
 * `approval_not_found` and `forbidden` besides. After `workflow_unavailable` it may still be withdrawn later.
 */
export const withdrawApproval = useCase({
  name: 'withdrawApproval',
  resource: 'approval',
  refusals: ['approval_decided', ...WRITE],
  async run(call: Call, id: string, reason?: string): Promise<ApprovalView> {
    const { temporal, writtenApprovals } = call.parts;
    const write = createLiveWrite(temporal, 'approval', () => refusalOfClosed(call, id));
    const input = { by: proven(call.caller), ...(reason !== undefined && { reason }) };
    const view = await write(id, withdrawApprovalUpdate, input);
    writtenApprovals.touch(id, view.status === 'pending' ? 'there' : 'decided');
    if (view.status !== 'cancelled') demand(checkUndecided(view));
    return view;
  },
});

async function refusalOfClosed({ caller, parts }: Call, id: string): Promise<RefusalError> {
  const { value } = await parts.readApproval(id);
  demand(mayWithdraw(caller, value));
  const ruling = checkUndecided(value);
  return ruling.ok ? notFound('approval') : new RefusalError(ruling.refusal);
}
