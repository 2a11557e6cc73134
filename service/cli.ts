#!/usr/bin/env node
import { SHELL_COMMANDS, isShellCommand } from '../cli/summaries.js';
import { VERSION } from '../contracts/constants/names.js';
import { demandPackage } from '../runtime/optional-package.js';
import { oneLine, runMain } from '../runtime/program.js';
import { UsageError, meantBy } from '../runtime/usage.js';
import { siblingScript } from './node-process.js';

interface Command {
  /** The program, which runs when it is imported: its path from here, without extension. */
  readonly script: string;
  readonly summary: string;
  readonly usage?: string;
  /** Whether it runs Temporal's worker, whose package an installation may leave out. */
  readonly isWorker?: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    script: './start',
    summary: 'Temporal, a store, a worker and the API together, on loopback',
    isWorker: true,
  },
  link: {
    script: './link-main',
    summary: 'prints a new link that signs in to the inbox of the service that `start` runs',
    usage: '[operator | approver]',
  },
  worker: {
    script: '../workers/main',
    summary: 'a worker, with your Temporal and PostgreSQL',
    isWorker: true,
  },
  api: { script: '../api/main', summary: 'the API, with your Temporal and PostgreSQL' },
  migrate: {
    script: '../store/migrate-main',
    summary: 'brings the database of DATABASE_URL up to date',
  },
  secrets: {
    script: './secrets-main',
    summary: 'prints new secrets of an installation, as lines for a file of variables',
  },
  'hash-key': {
    script: '../runtime/hash-key-main',
    summary: 'reads a key from its input and prints the digest to configure',
  },
  'replay-check': {
    script: '../workers/replay-check-main',
    summary: 'tries this version with open workflows of your Temporal, reading only',
    usage: '[--most <workflows of each type>] [--type <workflow type> …]',
    isWorker: true,
  },
  activate: {
    script: '../workers/activate-main',
    summary: 'lets the workers of this version have every task, once they are there',
    usage:
      '[--build <build id> | --unversioned] [--ramp <percent below 100>] [--wait <seconds>] [--status]',
  },
  reconcile: {
    script: '../workers/reconcile-main',
    summary: 'writes how questions ended whose end nobody wrote',
    usage: '[--cancel-missing]',
  },
  'verify-log': {
    script: '../store/verify-main',
    summary: 'checks an exported event log, without the service',
    usage: '<file.ndjson> [--head sha256:<hash>]',
  },
};

function listed(commands: readonly (readonly [name: string, summary: string])[]): string {
  return commands.map(([name, summary]) => `  ${name.padEnd(12)} ${summary}`).join('\n');
}

const HELP = `Usage: holdpoint <command>

For people and scripts, over the API:
${listed(Object.entries(SHELL_COMMANDS))}

They take the address and key of \`holdpoint login\`, or HOLDPOINT_URL and HOLDPOINT_API_KEY.
\`holdpoint <command> --help\` lists the options; docs/cli.md says what each code means that they end with.

To run the service:
${listed(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]))}

Settings come from the environment and from openintent.yaml in the working folder.
Each of these ends with 0, with 1 and the reason in one line, or with 2 if it cannot be understood. SIGTERM and SIGINT end a
service in order: what is in flight is finished first.
`;

const SHELL: Command = { script: '../cli/main', summary: 'commands for people' };

/**
 * Returns the program that the arguments name; undefined if they ask for help.
 *
 * @throws UsageError that says what to write instead
 */
function commandIn([name, ...rest]: readonly string[]): Command | undefined {
  if (name === undefined) throw new UsageError(HELP.trimEnd());
  if ([name, ...rest].some((one) => one === '--help' || one === '-h') || name === 'help') {
    return undefined;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = [...Object.keys(SHELL_COMMANDS), ...Object.keys(COMMANDS)];
    const meant = meantBy(name, names);
    const more = meant === '' ? ` It has ${names.join(', ')}.` : meant;
    throw new UsageError(`holdpoint has no command "${oneLine(name)}".${more}`);
  }
  const [unwanted] = rest;
  if (command.usage === undefined && unwanted !== undefined) {
    throw new UsageError(`holdpoint ${name} takes no argument, so "${unwanted}" means nothing.`);
  }
  return command;
}

/** The command line of the package. Each program reads its own arguments, and ends the process. */
await runMain(async () => {
  const [name] = process.argv.slice(2);
  if (name === '--version' || name === '-V') {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const command = isShellCommand(name) ? SHELL : commandIn(process.argv.slice(2));
  if (command === undefined) {
    process.stdout.write(HELP);
    return;
  }
  if (command.isWorker) demandPackage('@temporalio/worker', `holdpoint ${String(name)}`);
  if (command !== SHELL) process.argv.splice(2, 1);
  await import(siblingScript(command.script).href);
});
