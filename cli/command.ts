import { Option } from 'commander';
import type { Command } from 'commander';
import { TEXT_FORMATS } from '../contracts/constants/statuses.js';
import type { ExitCode } from './exit-codes.js';
import type { Terminal } from './shell.js';

/** Gives a command its arguments, options and action. */
export type AddCommand = (command: Command, terminal: Terminal, end: End) => void;

/** Makes the action of a command: it runs, and the code with which it ends is kept. */
export type End = <Args extends unknown[]>(
  run: (...args: Args) => Promise<ExitCode>,
) => (...args: Args) => Promise<void>;

/** The argument by which commands name a question. */
export const ID_ARGUMENT = [
  '<id>',
  'the id of the question, or its first 8 characters or more',
] as const;

/** Keeps every value of an option that is repeated. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Says how the text of a question is to be read. */
export function textFormatOption(): Option {
  return new Option(
    '--text-format <format>',
    'how the question is to be read; plain unless said otherwise',
  ).choices(TEXT_FORMATS);
}
