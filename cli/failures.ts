import { ConnectionError, HoldpointError } from '../client/errors.js';
import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';
import { refusalText } from './refusals.js';
import { oneLine } from './text.js';
import { COMMAND } from './own-name.js';

/** Ends a command with a line for people and a code for scripts. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** Returns the error for an invalid command line; nothing was sent. */
export function usage(message: string): CliError {
  return new CliError(EXIT.usage, message);
}

/** Statuses after which the same command may soon succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429]);

function exitCodeOf(error: HoldpointError): ExitCode {
  const { status, code } = error;
  if (error instanceof ConnectionError || status === undefined) return EXIT.unavailable;
  return exitOfRefusal({ status, code });
}

interface RefusalCode {
  readonly status: number;
  readonly code: string;
}

/** Returns the exit code for a refusal. */
export function exitOfRefusal({ status, code }: RefusalCode): ExitCode {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  // Codes of a reply by a proxy or another server begin with `http_`.
  if (status >= 500 || PASSING.has(status) || code.startsWith('http_')) return EXIT.unavailable;
  return EXIT.refused;
}

const SIGN_IN = `Sign in with \`${COMMAND} login\`, or set HOLDPOINT_API_KEY.`;

/** Returns the text of a refusal, with the accepted values, what to do about it, and its code. */
function lineOf(refused: HoldpointError, advice: string | undefined): string {
  const { status, code, detail } = refused;
  // The service names the header, which the command line sends by itself.
  if (status === 401) return `${detail} ${advice ?? SIGN_IN} (${code})`;
  const text = refusalText(refused);
  return `${advice === undefined ? text : `${text} ${advice}`} (${code})`;
}

/**
 * Returns the line and the exit code for an error of a command.
 *
 * @param advice - what to do about a refusal, or about a service that is not reached
 */
export function endingOf(
  error: unknown,
  advice?: string,
): { readonly line: string; readonly exitCode: ExitCode } {
  if (error instanceof CliError) return { line: oneLine(error.message), exitCode: error.exitCode };
  if (error instanceof HoldpointError) {
    return { line: oneLine(lineOf(error, advice)), exitCode: exitCodeOf(error) };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { line: stack, exitCode: EXIT.defect };
}
