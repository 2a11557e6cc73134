import type { JsonValue } from '../contracts/json.js';
import { HoldpointError, type ErrorDetails } from './errors.js';

type State = Readonly<Record<string, JsonValue>>;

function text(state: State | undefined, key: string): string {
  const value = state?.[key];
  return typeof value === 'string' ? value : '';
}

function texts(state: State | undefined, key: string): readonly string[] {
  const value = state?.[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Base of what the wiring of phases refuses with (RFC-0024 §6); catch this one (R26-92). */
export class WorkflowError extends HoldpointError {
  override readonly name: string = 'WorkflowError';
  /** Empty where no task was made yet. */
  readonly task_id: string;
  /** The phase whose task it is. */
  readonly phase_name: string;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
    this.task_id = text(details.state, 'task_id');
    this.phase_name = text(details.state, 'phase_name');
  }
}

/** A phase that the inputs come from waits for an operator; no `UnresolvableInputError` (R26-92). */
export class UpstreamIntentSuspendedError extends WorkflowError {
  override readonly name: string = 'UpstreamIntentSuspendedError';
  readonly suspended_intent_id: string;
  /** ISO-8601; null where the question has no deadline (R26-75). */
  readonly expected_resume_at: string | null;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
    this.suspended_intent_id = text(details.state, 'suspended_intent_id');
    this.expected_resume_at = text(details.state, 'expected_resume_at') || null;
  }
}

/** Declared inputs cannot be resolved from what has completed. */
export class UnresolvableInputError extends WorkflowError {
  override readonly name: string = 'UnresolvableInputError';

  get unresolvable_refs(): readonly string[] {
    return texts(this.state, 'unresolvable_refs');
  }
}

/** A completion lacks declared outputs. */
export class MissingOutputError extends WorkflowError {
  override readonly name: string = 'MissingOutputError';

  get missing_keys(): readonly string[] {
    return texts(this.state, 'missing_keys');
  }
}

/** An output is not of the declared type. */
export class OutputTypeMismatchError extends WorkflowError {
  override readonly name: string = 'OutputTypeMismatchError';

  get key(): string {
    return text(this.state, 'key');
  }

  get expected_type(): string {
    return text(this.state, 'expected_type');
  }

  get actual_type(): string {
    return text(this.state, 'actual_type');
  }
}

/** Inputs, outputs or dependencies of phases name what is not there; found before anything runs. */
export class InputWiringError extends WorkflowError {
  override readonly name: string = 'InputWiringError';

  get invalid_refs(): readonly string[] {
    return texts(this.state, 'invalid_refs');
  }

  get suggestion(): string {
    return text(this.state, 'suggestion');
  }
}

const BY_CODE: Readonly<Record<string, typeof WorkflowError>> = {
  upstream_intent_suspended: UpstreamIntentSuspendedError,
  unresolvable_input: UnresolvableInputError,
  missing_output: MissingOutputError,
  output_type_mismatch: OutputTypeMismatchError,
  input_wiring: InputWiringError,
};

/** The class of the errors with this code; undefined where it is none of a workflow's. */
export function workflowErrorOf(code: string): typeof WorkflowError | undefined {
  return Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
}
