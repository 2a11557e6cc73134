import { HoldpointError } from './errors.js';

/** Base of what a decision about a request is refused with. It changed nothing. */
export class DecisionError extends HoldpointError {
  override readonly name: string = 'DecisionError';

  constructor(refusal: HoldpointError) {
    const { status, field, valid_choices, state, retry_after_seconds } = refusal;
    const details = { status, field, valid_choices, state, retry_after_seconds, cause: refusal };
    super(refusal.code, refusal.message, details);
  }
}

/** No request has this id, or the one that has it is of another run. */
export class UnknownRequest extends DecisionError {
  override readonly name: string = 'UnknownRequest';
}

/** Somebody decided first, or nobody did in time. `state` says how it ended, and who decided. */
export class AlreadyDecided extends DecisionError {
  override readonly name: string = 'AlreadyDecided';
}

/**
 * The question that was decided on is over, and the request waits for another: of the next tier, or of another stage. The decision
 * changed nothing. `state` has the stage and tier that are open now, and `own_vote` if this principal's decision has counted before.
 */
export class StageMismatch extends DecisionError {
  override readonly name: string = 'StageMismatch';
}

/** The hash is not that of the proposal as it stands: somebody has edited it. Show it again before you decide. */
export class ProposalChanged extends DecisionError {
  override readonly name: string = 'ProposalChanged';
}

/** This principal does not decide about the request, or not in the name of another. */
export class NotEligible extends DecisionError {
  override readonly name: string = 'NotEligible';
}

/** This principal has decided otherwise before; that decision counts, and `state` has it. */
export class AlreadyVoted extends DecisionError {
  override readonly name: string = 'AlreadyVoted';
}

/** The decision was for some of the calls: it is for all of them, or for none. */
export class PartialDecision extends DecisionError {
  override readonly name: string = 'PartialDecision';
}

/** The data do not fit the schema of the request; `field` is the path. The request goes on waiting. */
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

/** The error that a refused decision is; the refusal itself if it says nothing of the decision. */
export function decisionErrorOf(error: unknown): unknown {
  if (!(error instanceof HoldpointError) || !Object.hasOwn(BY_CODE, error.code)) return error;
  const Thrown = BY_CODE[error.code];
  return Thrown === undefined ? error : new Thrown(error);
}
