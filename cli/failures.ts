import { ConnectionError, HoldpointError } from '../client/errors.js';
import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';
import { refusalText } from './refusals.js';
import { oneLine } from './text.js';

/** Ends a command with a line for people and a code for scripts. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** The command cannot be understood: nothing was sent. */
export function usage(message: string): CliError {
  return new CliError(EXIT.usage, message);
}

/** Statuses after which the same command may succeed a little later. */
const PASSING: ReadonlySet<number> = new Set([408, 429]);

function exitCodeOf(error: HoldpointError): ExitCode {
  const { status, code } = error;
  if (error instanceof ConnectionError || status === undefined) return EXIT.unavailable;
  return exitOfRefusal({ status, code });
}

/** The code with which a command ends that is refused, alone or as one of many. */
export function exitOfRefusal({
  status,
  code,
}: {
  readonly status: number;
  readonly code: string;
}): ExitCode {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  // A reply that is none of ours: a proxy's, or that of another server.
  if (status >= 500 || PASSING.has(status) || code.startsWith('http_')) return EXIT.unavailable;
  return EXIT.refused;
}

/** What a refusal says, what would be accepted, and its code. */
function lineOf({ message, ...refused }: HoldpointError): string {
  const { status, code } = refused;
  const signIn = status === 401 ? ' Sign in with `holdpoint login`, or set HOLDPOINT_API_KEY.' : '';
  return `${refusalText({ ...refused, detail: message })}${signIn} (${code})`;
}

/** The line and the code with which a command ends that threw this. */
export function endingOf(error: unknown): { readonly line: string; readonly exitCode: ExitCode } {
  if (error instanceof CliError) return { line: oneLine(error.message), exitCode: error.exitCode };
  if (error instanceof HoldpointError) {
    return { line: oneLine(lineOf(error)), exitCode: exitCodeOf(error) };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { line: stack, exitCode: EXIT.defect };
}
