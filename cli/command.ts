import { Option, type Command } from 'commander';
import { TEXT_FORMATS } from '../contracts/constants/statuses.js';
import type { ExitCode } from './failures.js';
import type { Terminal } from './shell.js';

/** Adds arguments, options and the action to a command. */
export type AddCommand = (command: Command, terminal: Terminal, end: End) => void;

/** Wraps the action of a command, so that its exit code is kept. */
export type End = <Args extends unknown[]>(
  run: (...args: Args) => Promise<ExitCode>,
) => (...args: Args) => Promise<void>;

export const ID_ARGUMENT = [
  '<id>',
  'the id of the question, or its first 8 characters or more',
] as const;

export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function textFormatOption(): Option {
  return new Option(
    '--text-format <format>',
    'the format of the question; plain by default',
  ).choices(TEXT_FORMATS);
}
