import type { JsonValue } from '../contracts/json.js';

/** What a HoldpointError knows besides its text; the names are those of the problem body. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly field?: string | undefined;
  readonly valid_choices?: readonly string[] | undefined;
  readonly state?: Readonly<Record<string, JsonValue>> | undefined;
  /** Seconds after which the server wants to be asked again (`Retry-After`). */
  readonly retry_after_seconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Base of everything the client throws. `code` is an error code of the server, or one of the
 * client's own; `name` and `code` tell errors apart where `instanceof` cannot (two copies of the
 * client, another realm). No message holds a suspension's id (R25-100).
 */
export class HoldpointError extends Error {
  override readonly name: string = 'HoldpointError';
  readonly code: string;
  /** HTTP status; undefined where no reply was the reason. */
  readonly status: number | undefined;
  /** Dotted path of the request field at fault. */
  readonly field: string | undefined;
  /** The accepted values, where a choice was refused (AM-14). */
  readonly valid_choices: readonly string[] | undefined;
  /** The current state, as far as the server tells it. */
  readonly state: Readonly<Record<string, JsonValue>> | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.field = details.field;
    this.valid_choices = details.valid_choices;
    this.state = details.state;
    this.retry_after_seconds = details.retry_after_seconds;
  }
}

/** No reply came. `delivered` is `no` where the request surely never reached the server. */
export class ConnectionError extends HoldpointError {
  override readonly name: string = 'ConnectionError';
  readonly delivered: 'no' | 'unknown';

  constructor(delivered: 'no' | 'unknown', cause: unknown) {
    super('connection_failed', 'Holdpoint cannot be reached.', { cause });
    this.delivered = delivered;
  }
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
