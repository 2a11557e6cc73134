import { ConnectionError, HoldpointError } from '../client/errors.js';
import { addLogin, identityLine } from './commands/login.js';
import { isFolderHeld } from '../runtime/folder-lock.js';
import { dataFolderOf, stillStarting } from './local-service.js';
import { loginFile } from './login-file.js';
import { COMMAND } from './own-name.js';
import { USUAL_URL, apiOf, settingsOf, type Settings } from './session.js';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../contracts/constants/names.js';
import type { AddCommand, End } from './command.js';
import { addAmend } from './commands/amend.js';
import { addAnswerAll } from './commands/answer-all.js';
import { addAnswer, addApprove, addDeny } from './commands/answer.js';
import { addAsk } from './commands/ask.js';
import { addDoctor } from './commands/doctor.js';
import { addInbox, addShow, addWatch } from './commands/inbox.js';
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
import { EXIT, endingOf, type ExitCode } from './failures.js';
import { Terminal, type Shell } from './shell.js';
import { SHELL_COMMANDS, type ShellCommand } from './summaries.js';

/** Printing a refusal waits at most this long for the advice about its key. */
const WITHIN_SECONDS = 2;

/**
 * Returns what to do about the error of a command: where the refused key came from and whose it is, or how to start
 * the service; undefined without helpful advice. It only reads, and never rejects.
 */
export async function adviceAfter(error: unknown, terminal: Terminal): Promise<string | undefined> {
  if (!(error instanceof HoldpointError)) return undefined;
  const settings = await settingsOf(terminal.shell).catch(() => undefined);
  if (settings === undefined) return undefined;
  if (error instanceof ConnectionError) return startAdvice(settings, terminal);
  if (error.status === 401) return wrongKeyAdvice(settings, terminal);
  if (error.status === 403) return otherKeyAdvice(settings, terminal);
  return undefined;
}

async function startAdvice(
  { url, from }: Settings,
  { shell: { env, cwd } }: Terminal,
): Promise<string | undefined> {
  const folder = dataFolderOf(env, cwd);
  if (url !== USUAL_URL && from !== folder) return undefined;
  if (await isFolderHeld(folder)) return `${stillStarting(folder)}.`;
  return `Start it with \`${COMMAND} start\`.`;
}

async function wrongKeyAdvice(
  { isOfVariable }: Settings,
  terminal: Terminal,
): Promise<string | undefined> {
  if (!isOfVariable) return undefined;
  const other = await withoutVariable(terminal);
  return `The key came from the variable HOLDPOINT_API_KEY: correct it, or unset it ${other}.`;
}

async function otherKeyAdvice(settings: Settings, terminal: Terminal): Promise<string | undefined> {
  const { isOfVariable, from } = settings;
  const holder = await holderOf(settings, terminal);
  if (isOfVariable) {
    const whose = holder === undefined ? '' : ` and is that of ${holder}`;
    const other = await withoutVariable(terminal);
    return `The key came from the variable HOLDPOINT_API_KEY${whose}: unset it ${other}.`;
  }
  return holder === undefined ? undefined : `The key of ${from} is that of ${holder}.`;
}

/** Returns what the command would use if the variable were not set. */
async function withoutVariable({ shell }: Terminal): Promise<string> {
  const env = { ...shell.env, HOLDPOINT_API_KEY: '' };
  try {
    const { from } = await settingsOf({ env, cwd: shell.cwd });
    return from === loginFile(env) ? `to use your login, ${from}` : `to use the service of ${from}`;
  } catch {
    return `and sign in with \`${COMMAND} login\``;
  }
}

async function holderOf(settings: Settings, terminal: Terminal): Promise<string | undefined> {
  const { interrupted } = terminal.shell;
  const { operator } = apiOf(settings, terminal, {
    interrupted,
    tries: 1,
    withinSeconds: WITHIN_SECONDS,
  });
  try {
    return identityLine(await operator.me({ signal: interrupted }));
  } catch {
    return undefined;
  }
}

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
