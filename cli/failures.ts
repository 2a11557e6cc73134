import { ENDINGS } from '../contracts/constants/statuses.js';
import { detailWithAccepted, type ShownRefusal } from '../contracts/constants/denial.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import { localTime, oneLine, shownValue } from './text.js';
import { ConnectionError, HoldpointError } from '../client/errors.js';
import { COMMAND } from './own-name.js';

/** The exit codes of commands for people, for scripts. The numbers never change; `docs/cli.md` lists them. */
export const EXIT = {
  /** Done. `ask`: the answer is known to be a yes. */
  done: 0,
  /** `ask`: the answer denies. `doctor`: something must be fixed. */
  no: 1,
  /** The command line is invalid, and nothing was sent. */
  usage: 2,
  /** Holdpoint refuses the request; nothing has changed. */
  refused: 3,
  /** The key is missing, invalid, or not allowed to do this. */
  notAllowed: 4,
  /** Holdpoint cannot be reached, or cannot do it now. */
  unavailable: 5,
  /** `ask`: nobody answered in time, and there is no fallback. */
  nobody: 6,
  /** `ask`: the question was withdrawn. */
  withdrawn: 7,
  /** An answer is kept and will be judged, but no worker has taken it yet. */
  handedOver: 8,
  /** `ask`: it is unknown whether the answer, or the fallback, denies. */
  unclear: 9,
  /** A defect of the command itself. */
  defect: 70,
  /** The output could not be written, for example to a full disk. */
  unwritten: 74,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface Refused extends ShownRefusal {
  readonly state?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Returns the holder of the claim, its end, and the option to answer nevertheless. */
function claimedText({ field, state: { holder, expires_at } = {} }: Refused): string | undefined {
  if (typeof holder !== 'string' || typeof expires_at !== 'string') return undefined;
  const despite = field === 'despite_claim' ? ' To answer all the same, add --despite-claim.' : '';
  return `${holder} has claimed the question until ${localTime(expires_at)}.${despite}`;
}

function isResolution(resolution: JsonValue | undefined): resolution is keyof typeof ENDINGS {
  return typeof resolution === 'string' && Object.hasOwn(ENDINGS, resolution);
}

/** Returns how a question ended, by whom, when, and with which value, as far as the service reveals it. */
function settledText({ state = {} }: Refused): string | undefined {
  const { resolution, responded_by, settled_at, value } = state;
  if (!isResolution(resolution)) return undefined;
  const by = typeof responded_by === 'string' ? ` by ${responded_by}` : '';
  const when = typeof settled_at === 'string' ? `, ${localTime(settled_at)}` : '';
  const what = value === undefined ? '' : `: ${shownValue(value)}`;
  return `The question ${ENDINGS[resolution]}${by}${when}${what}.`;
}

export function refusalText(refused: Refused): string {
  const { code } = refused;
  if (code === 'claimed_by_other') return claimedText(refused) ?? refused.detail;
  if (code === 'suspension_settled') return settledText(refused) ?? refused.detail;
  return detailWithAccepted(refused);
}

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
