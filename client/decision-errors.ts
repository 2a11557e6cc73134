import { HoldpointError, detailsOf } from './errors.js';

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
 * The question that was decided on is over, and the request waits for one of the next tier or of another stage. The decision
 * changed nothing. `state` has the open stage and tier, and `own_vote` if an earlier decision of this principal counts.
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
