import { HoldpointError, detailsOf } from './errors.js';

const ADVICE = 'Choose a different approach.';

/** Base of the errors that stop a tool call that needs approval. The call must not run. */
export class ApprovalError extends HoldpointError {
  override readonly name: string = 'ApprovalError';
  readonly tool: string;

  constructor(tool: string, message: string, refusal: HoldpointError) {
    super(refusal.code, message, detailsOf(refusal));
    this.tool = tool;
  }
}

/** Nobody has decided yet. Redeem again later, or leave the run to `onDecided`. */
export class ApprovalPending extends ApprovalError {
  override readonly name: string = 'ApprovalPending';

  constructor(tool: string, refusal: HoldpointError) {
    super(tool, `"${tool}" waits for approval.`, refusal);
  }
}

/** The call was rejected, denied or withdrawn. The message is for the model, as the result of the call. */
export class ApprovalDenied extends ApprovalError {
  override readonly name: string = 'ApprovalDenied';
  readonly comment: string | undefined;
  readonly respondent: string | undefined;

  constructor(tool: string, refusal: HoldpointError) {
    super(tool, `Tool result for "${tool}": ${deniedText(refusal)}\n${ADVICE}`, refusal);
    this.comment = textAt(refusal, 'comment');
    this.respondent = textAt(refusal, 'respondent');
  }
}

/** Nobody decided in time, or nobody redeemed the call in time. */
export class ApprovalExpired extends ApprovalError {
  override readonly name: string = 'ApprovalExpired';

  constructor(tool: string, refusal: HoldpointError) {
    const text = 'NOT APPROVED, because nobody decided in time.';
    super(tool, `Tool result for "${tool}": ${text}\n${ADVICE}`, refusal);
  }
}

/** The call differs from the approved one, so it does not run. If `noted`, the log of the run records it. */
export class ProposalMutated extends ApprovalError {
  override readonly name: string = 'ProposalMutated';
  readonly noted: boolean;

  constructor(tool: string, refusal: HoldpointError, noted = true) {
    super(tool, `What "${tool}" was to run is not what was approved, so nothing runs.`, refusal);
    this.noted = noted;
  }
}

/** Returns the error for a refusal to redeem a call; the refusal itself if it is not about the approval. */
export function approvalErrorOf(tool: string, error: unknown): unknown {
  if (!(error instanceof HoldpointError)) return error;
  if (error.code === 'approval_pending') return new ApprovalPending(tool, error);
  if (error.code === 'proposal_mutation_detected') return new ProposalMutated(tool, error);
  if (error.code !== 'approval_decided') return error;
  const isExpired = textAt(error, 'status') === 'expired';
  return isExpired ? new ApprovalExpired(tool, error) : new ApprovalDenied(tool, error);
}

function deniedText(refusal: HoldpointError): string {
  const why = quoted(textAt(refusal, 'comment') ?? textAt(refusal, 'reason'));
  if (textAt(refusal, 'by') === 'policy') return `DENIED by policy.${why}`;
  if (textAt(refusal, 'status') === 'rejected') return `REJECTED by human reviewer.${why}`;
  return `NOT APPROVED, because the request was withdrawn.${why}`;
}

function quoted(text: string | undefined): string {
  return text === undefined ? '' : ` Reason: "${text}"`;
}

function textAt({ state }: HoldpointError, name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Base of the refusals of a decision about a request. It changed nothing. */
export class DecisionError extends HoldpointError {
  override readonly name: string = 'DecisionError';

  constructor(refusal: HoldpointError) {
    super(refusal.code, refusal.message, { ...detailsOf(refusal), detail: refusal.detail });
  }
}

/** No request of this run has this id. */
export class UnknownRequest extends DecisionError {
  override readonly name: string = 'UnknownRequest';
}

/** Somebody decided first, or nobody did in time. `state` has the outcome and its author. */
export class AlreadyDecided extends DecisionError {
  override readonly name: string = 'AlreadyDecided';
}

/**
 * The question of the decision is over, and the request waits for one of the next tier or another stage. `state` has
 * the open stage and tier, and `own_vote` if an earlier decision of this principal counts.
 */
export class StageMismatch extends DecisionError {
  override readonly name: string = 'StageMismatch';
}

/** The hash is not that of the current proposal: somebody has edited it. Show it again before you decide. */
export class ProposalChanged extends DecisionError {
  override readonly name: string = 'ProposalChanged';
}

/** This principal may not decide about the request, or not in the name of another. */
export class NotEligible extends DecisionError {
  override readonly name: string = 'NotEligible';
}

/** This principal has decided otherwise before. That decision counts, and `state` has it. */
export class AlreadyVoted extends DecisionError {
  override readonly name: string = 'AlreadyVoted';
}

/** The decision names only some of the calls; it must be for all of them. */
export class PartialDecision extends DecisionError {
  override readonly name: string = 'PartialDecision';
}

/** The data does not fit the schema of the request; `field` is the path. The request still waits. */
export class DataRefused extends DecisionError {
  override readonly name: string = 'DataRefused';
}

const BY_CODE: Readonly<Record<string, new (refusal: HoldpointError) => DecisionError>> = {
  approval_not_found: UnknownRequest,
  approval_decided: AlreadyDecided,
  suspension_settled: AlreadyDecided,
  stage_mismatch: StageMismatch,
  proposal_hash_mismatch: ProposalChanged,
  not_eligible: NotEligible,
  forbidden: NotEligible,
  responded_by_mismatch: NotEligible,
  already_voted: AlreadyVoted,
  partial_decision: PartialDecision,
  invalid_value: DataRefused,
};

/** Returns the error for a refused decision; the refusal itself if it is not about the decision. */
export function decisionErrorOf(error: unknown): unknown {
  if (!(error instanceof HoldpointError) || !Object.hasOwn(BY_CODE, error.code)) return error;
  const Thrown = BY_CODE[error.code];
  return Thrown === undefined ? error : new Thrown(error);
}
