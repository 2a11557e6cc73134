#!/usr/bin/env node
import { StartupError, runMain } from '../runtime/program.js';
import { siblingScript } from './node-process.js';

interface Command {
  /** The program that runs when it is imported, from here and without its extension. */
  readonly script: string;
  readonly summary: string;
  /** What may follow the command's name; nothing unless it is said here. */
  readonly usage?: string;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    script: './start',
    summary: 'Temporal, a store, a worker and the API together, on loopback',
  },
  worker: { script: '../workers/main', summary: 'a worker, with your Temporal and PostgreSQL' },
  api: { script: '../api/main', summary: 'the API, with your Temporal and PostgreSQL' },
  migrate: {
    script: '../store/migrate-main',
    summary: 'brings the database of DATABASE_URL up to date',
  },
  'hash-key': {
    script: '../runtime/hash-key-main',
    summary: 'reads a key from its input and prints the digest to configure',
  },
  'replay-check': {
    script: '../workers/replay-check-main',
    summary: 'tries this version with open workflows of your Temporal, reading only',
    usage: '[--most <workflows of each type>] [--type <workflow type> …]',
  },
  activate: {
    script: '../workers/activate-main',
    summary: 'lets the workers of this version have every task, once they are there',
    usage: '[--build <build id> | --unversioned] [--wait <seconds>]',
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

const HELP = `Usage: holdpoint <command>

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join('\n')}

Settings come from the environment and from openintent.yaml in the working folder.
Every command ends with 0, or with 1 and the reason in one line. SIGTERM and SIGINT end a
service in order: what is in flight is finished first.
`;

/**
 * Finds the program that the arguments ask for; undefined if they ask for help.
 *
 * @throws StartupError that says what to write instead
 */
function commandIn([name, ...rest]: readonly string[]): Command | undefined {
  if (name === undefined) throw new StartupError(HELP.trimEnd());
  if ([name, ...rest].some((one) => one === '--help' || one === '-h') || name === 'help') {
    return undefined;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(COMMANDS).join(', ');
    throw new StartupError(`holdpoint has no command "${name}": it has ${names}.`);
  }
  const [unwanted] = rest;
  if (command.usage === undefined && unwanted !== undefined) {
    throw new StartupError(`holdpoint ${name} takes no argument, so "${unwanted}" means nothing.`);
  }
  return command;
}

/** The command line of the package. Each program reads its own arguments, and ends the process. */
await runMain(async () => {
  const command = commandIn(process.argv.slice(2));
  if (command === undefined) {
    process.stdout.write(HELP);
    return;
  }
  process.argv.splice(2, 1);
  await import(siblingScript(command.script).href);
});
