import { PORTFOLIO_DEADLINE_EXCEEDED } from '../contracts/constants/statuses.js';
import type { EngagementDecision } from '../contracts/suspension/engagement.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../contracts/suspension/suspension.js';

/** The details of a HoldpointError; the names are those of the problem body. */
export interface ErrorDetails {
  /** What is wrong, without what would be accepted; the message by default. */
  readonly detail?: string | undefined;
  readonly status?: number | undefined;
  readonly field?: string | undefined;
  readonly accepted?: string | undefined;
  readonly valid_choices?: readonly string[] | undefined;
  readonly state?: Readonly<Record<string, JsonValue>> | undefined;
  /** Seconds after which to try again (`Retry-After`). */
  readonly retry_after_seconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Base of everything the client throws. `code` is an error code of the server or of the client; `name` and `code`
 * distinguish errors where `instanceof` cannot (two copies of the client, another realm). No message holds a suspension's
 * id (R25-100).
 */
export class HoldpointError extends Error {
  override readonly name: string = 'HoldpointError';
  readonly code: string;
  /** What is wrong. `message` also says what would be accepted, if the server does. */
  readonly detail: string;
  /** The HTTP status; undefined if the error is not about a reply. */
  readonly status: number | undefined;
  /** Dotted path of the request field at fault. */
  readonly field: string | undefined;
  /** What would be accepted, in words. */
  readonly accepted: string | undefined;
  /** The accepted values, if a choice was refused. */
  readonly valid_choices: readonly string[] | undefined;
  /** The current state, as far as the server reveals it. */
  readonly state: Readonly<Record<string, JsonValue>> | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.detail = details.detail ?? message;
    this.status = details.status;
    this.field = details.field;
    this.accepted = details.accepted;
    this.valid_choices = details.valid_choices;
    this.state = details.state;
    this.retry_after_seconds = details.retry_after_seconds;
  }
}

/** Returns the details of a refusal, for an error that it causes. */
export function detailsOf(refusal: HoldpointError): ErrorDetails {
  const { status, field, accepted, valid_choices, state, retry_after_seconds } = refusal;
  const said = { field, accepted, valid_choices, state };
  return { ...said, status, retry_after_seconds, cause: refusal };
}

/** No reply came. `delivered` is `no` if the request certainly did not reach the server. */
export class ConnectionError extends HoldpointError {
  override readonly name: string = 'ConnectionError';
  readonly delivered: 'no' | 'unknown';
  /** The address of the server, without `/v1`. */
  readonly address: string;

  constructor(delivered: 'no' | 'unknown', cause: unknown, address: string) {
    const code = codeOf(cause);
    const reason = code === undefined ? '' : ` (${code})`;
    super('connection_failed', `Holdpoint cannot be reached at ${address}${reason}.`, { cause });
    this.delivered = delivered;
    this.address = address;
  }
}

/** Returns the first code among an error and its causes, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

/** The server answers, but does not know the suspension protocol (R25-104). */
export class SuspensionUnsupportedError extends HoldpointError {
  override readonly name: string = 'SuspensionUnsupportedError';

  constructor(cause: unknown) {
    super(
      'suspension_unsupported',
      'This server has no suspension endpoints: it cannot ask an operator.',
      { status: 404, cause },
    );
  }
}

/** Nobody answered in time and the policy was `fail` (R25-56, R25-90). */
export class InputTimeoutError extends HoldpointError {
  override readonly name: string = 'InputTimeoutError';
  readonly intent_id: string;
  readonly suspension: SuspensionRecord;
  readonly attempts: number;

  constructor(intentId: string, suspension: SuspensionRecord, attempts: number) {
    super('input_timeout', `Nobody answered after ${attempts} attempt(s).`);
    this.intent_id = intentId;
    this.suspension = suspension;
    this.attempts = attempts;
  }
}

/**
 * The question was withdrawn (R25-90), for the given reason; or the deadline of a portfolio ended it, with the reason
 * `portfolio_deadline_exceeded`.
 */
export class InputCancelledError extends HoldpointError {
  override readonly name: string = 'InputCancelledError';
  /** Empty if no intent waited. */
  readonly intent_id: string;
  readonly suspension: SuspensionRecord;
  readonly reason: string | undefined;

  constructor(intentId: string, suspension: SuspensionRecord) {
    const past = suspension.resolution === 'expired';
    const reason = past ? PORTFOLIO_DEADLINE_EXCEEDED : suspension.reason;
    super(
      'input_cancelled',
      `The question was withdrawn${reason === undefined ? '.' : `: ${reason}`}`,
    );
    this.intent_id = intentId;
    this.suspension = suspension;
    this.reason = reason;
  }
}

/** The decision was `defer`: neither act nor ask, but hand the matter over. */
export class DeferredError extends HoldpointError {
  override readonly name: string = 'DeferredError';
  readonly decision: EngagementDecision;

  constructor(decision: EngagementDecision) {
    super('deferred', `Acting alone is ruled out: ${decision.rationale}`);
    this.decision = decision;
  }
}

/** The decision was to ask first: call `requestInput()` before acting. */
export class InputRequiredError extends HoldpointError {
  override readonly name: string = 'InputRequiredError';
  readonly decision: EngagementDecision;

  constructor(decision: EngagementDecision) {
    super('input_required', `An operator has to be asked first: ${decision.rationale}`);
    this.decision = decision;
  }
}

type ErrorState = Readonly<Record<string, JsonValue>>;

function textAt(state: ErrorState | undefined, key: string): string {
  const value = state?.[key];
  return typeof value === 'string' ? value : '';
}

function textsAt(state: ErrorState | undefined, key: string): readonly string[] {
  const value = state?.[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Base of the refusals by the wiring of phases (RFC-0024 §6); catch this one (R26-92). */
export class WorkflowError extends HoldpointError {
  override readonly name: string = 'WorkflowError';
  /** Empty if no task was made yet. */
  readonly task_id: string;
  /** The phase whose task it is. */
  readonly phase_name: string;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
    this.task_id = textAt(details.state, 'task_id');
    this.phase_name = textAt(details.state, 'phase_name');
  }
}

/** A phase that provides inputs waits for an operator; no `UnresolvableInputError` (R26-92). */
export class UpstreamIntentSuspendedError extends WorkflowError {
  override readonly name: string = 'UpstreamIntentSuspendedError';
  readonly suspended_intent_id: string;
  /** ISO-8601; null if the question has no deadline (R26-75). */
  readonly expected_resume_at: string | null;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
    this.suspended_intent_id = textAt(details.state, 'suspended_intent_id');
    this.expected_resume_at = textAt(details.state, 'expected_resume_at') || null;
  }
}

/** Declared inputs cannot be resolved from what has completed. */
export class UnresolvableInputError extends WorkflowError {
  override readonly name: string = 'UnresolvableInputError';

  get unresolvable_refs(): readonly string[] {
    return textsAt(this.state, 'unresolvable_refs');
  }
}

/** A completion lacks declared outputs. */
export class MissingOutputError extends WorkflowError {
  override readonly name: string = 'MissingOutputError';

  get missing_keys(): readonly string[] {
    return textsAt(this.state, 'missing_keys');
  }
}

/** An output is not of the declared type. */
export class OutputTypeMismatchError extends WorkflowError {
  override readonly name: string = 'OutputTypeMismatchError';

  get key(): string {
    return textAt(this.state, 'key');
  }

  get expected_type(): string {
    return textAt(this.state, 'expected_type');
  }

  get actual_type(): string {
    return textAt(this.state, 'actual_type');
  }
}

/** Inputs, outputs or dependencies of phases name something missing; found before anything runs. */
export class InputWiringError extends WorkflowError {
  override readonly name: string = 'InputWiringError';

  get invalid_refs(): readonly string[] {
    return textsAt(this.state, 'invalid_refs');
  }

  get suggestion(): string {
    return textAt(this.state, 'suggestion');
  }
}

const BY_CODE: Readonly<Record<string, typeof WorkflowError>> = {
  upstream_intent_suspended: UpstreamIntentSuspendedError,
  unresolvable_input: UnresolvableInputError,
  missing_output: MissingOutputError,
  output_type_mismatch: OutputTypeMismatchError,
  input_wiring: InputWiringError,
};

/** Returns the class of the workflow errors with this code, or undefined. */
export function workflowErrorOf(code: string): typeof WorkflowError | undefined {
  return Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
}
