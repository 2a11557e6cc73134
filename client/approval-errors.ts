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
