import { StartupError } from '../runtime/program.js';

/** What went wrong while finding, starting or reaching Temporal. */
export type TemporalConfigErrorCode =
  | 'cli_path_unusable'
  | 'cli_not_found'
  | 'test_server_path_unusable'
  | 'test_server_not_found'
  | 'port_in_use'
  | 'dev_server_failed'
  | 'connection_settings_invalid'
  | 'search_attributes_refused';

/**
 * The one error of this folder. Its message is written for the person who started the program and
 * needs no stack beside it; `code` tells programs apart what happened.
 */
export class TemporalConfigError extends StartupError {
  override readonly name: string = 'TemporalConfigError';
  readonly code: TemporalConfigErrorCode;

  constructor(code: TemporalConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The text of anything thrown, with the cause that Node's `fetch` hides one level down. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error
    ? `${thrown.message}: ${reasonOf(thrown.cause)}`
    : thrown.message;
}
