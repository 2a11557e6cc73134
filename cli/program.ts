import { Command, CommanderError } from 'commander';
import { VERSION } from '../contracts/constants/version.js';
import { adviceAfter } from './advice.js';
import type { AddCommand, End } from './command.js';
import { addAmend } from './commands/amend.js';
import { addAnswerAll } from './commands/answer-all.js';
import { addAnswer, addApprove, addDeny } from './commands/answer.js';
import { addAsk } from './commands/ask.js';
import { addDoctor } from './commands/doctor.js';
import { addInbox, addShow } from './commands/inbox.js';
import { addLogin } from './commands/login.js';
import { addMcp } from './commands/mcp.js';
import { addQuietHours } from './commands/quiet-hours.js';
import {
  addClaim,
  addComment,
  addDelegate,
  addRelease,
  addSnooze,
  addWithdraw,
} from './commands/verbs.js';
import { addViews } from './commands/views.js';
import { addWatch } from './commands/watch.js';
import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';
import { endingOf } from './failures.js';
import { Terminal } from './shell.js';
import type { Shell } from './shell.js';
import { SHELL_COMMANDS } from './summaries.js';
import type { ShellCommand } from './summaries.js';

const ADD: Readonly<Record<ShellCommand, AddCommand>> = {
  login: addLogin,
  inbox: addInbox,
  views: addViews,
  show: addShow,
  answer: addAnswer,
  'answer-all': addAnswerAll,
  approve: addApprove,
  deny: addDeny,
  claim: addClaim,
  release: addRelease,
  delegate: addDelegate,
  snooze: addSnooze,
  'quiet-hours': addQuietHours,
  comment: addComment,
  amend: addAmend,
  withdraw: addWithdraw,
  watch: addWatch,
  ask: addAsk,
  mcp: addMcp,
  doctor: addDoctor,
};

/** Runs one of the commands for people. Resolves with its exit code, and never rejects. */
export async function runShellCommand(args: readonly string[], shell: Shell): Promise<ExitCode> {
  const terminal = new Terminal(shell);
  let code: ExitCode = EXIT.done;
  const end: End =
    (run) =>
    async (...given) => {
      code = await run(...given);
    };
  const program = new Command('holdpoint')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      getOutHelpWidth: () => terminal.columns,
    })
    .version(VERSION);
  for (const [name, add] of Object.entries(ADD)) {
    const summary = SHELL_COMMANDS[name as ShellCommand];
    const command = program
      .command(name)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`);
    add(command, terminal, end);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (shell.interrupted.aborted) return EXIT.interrupted;
    const { line, exitCode } = endingOf(error, await adviceAfter(error, terminal));
    terminal.note(line);
    return exitCode;
  }
}
