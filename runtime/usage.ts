import { nearestName } from '../contracts/constants/command-name.js';
import { StartupError } from './program.js';

/** The command line is invalid, and nothing was done. The program ends with 2. */
export class UsageError extends StartupError {
  override readonly name: string = 'UsageError';
  override readonly exitCode: number = 2;
}

/** Returns ` Did you mean "start"?` if a known name is close to the typed one; else nothing. */
export function meantBy(typed: string, known: readonly string[]): string {
  const meant = nearestName(typed, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

const UNKNOWN = /^Unknown option '(-[^']*)'/;

/**
 * Returns the same for an option that `parseArgs` did not know.
 *
 * @param error - what it threw
 * @param known - the options of the program, without dashes
 */
export function meantOption(error: unknown, known: readonly string[]): string {
  const [, typed] = UNKNOWN.exec(error instanceof Error ? error.message : '') ?? [];
  const options = known.map((name) => `--${name}`);
  return typed === undefined ? '' : `There is no option ${typed}.${meantBy(typed, options)}`;
}
