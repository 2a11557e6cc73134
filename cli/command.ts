import { Option } from 'commander';
import type { Command } from 'commander';
import { TEXT_FORMATS } from '../contracts/constants/statuses.js';
import type { ExitCode } from './exit-codes.js';
import type { Terminal } from './shell.js';

/** Adds arguments, options and the action to a command. */
export type AddCommand = (command: Command, terminal: Terminal, end: End) => void;

/** Makes the action of a command, whose exit code is kept. */
export type End = <Args extends unknown[]>(
  run: (...args: Args) => Promise<ExitCode>,
) => (...args: Args) => Promise<void>;

/** The argument by which commands name a question. */
export const ID_ARGUMENT = [
  '<id>',
  'the id of the question, or its first 8 characters or more',
] as const;

/** Collects the values of a repeated option. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Returns the option for the format of a question's text. */
export function textFormatOption(): Option {
  return new Option(
    '--text-format <format>',
    'the format of the question; plain by default',
  ).choices(TEXT_FORMATS);
}
