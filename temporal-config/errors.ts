import { StartupError } from '../runtime/program.js';

export type TemporalConfigErrorCode =
  | 'cli_path_unusable'
  | 'cli_not_found'
  | 'test_server_path_unusable'
  | 'test_server_not_found'
  | 'server_path_unusable'
  | 'server_not_found'
  | 'port_in_use'
  | 'dev_server_failed'
  | 'connection_settings_invalid'
  | 'search_attributes_refused'
  | 'version_not_activated';

/** The error class of this folder. Its message is for the person who started the program; `code` is for programs. */
export class TemporalConfigError extends StartupError {
  override readonly name: string = 'TemporalConfigError';
  readonly code: TemporalConfigErrorCode;

  constructor(code: TemporalConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the text of any thrown value, with its cause, where Node's `fetch` puts the reason. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error
    ? `${thrown.message}: ${reasonOf(thrown.cause)}`
    : thrown.message;
}
