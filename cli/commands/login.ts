import type { Me } from '../../contracts/people/session.js';
import type { AddCommand } from '../command.js';
import { CliError, EXIT, endingOf, usage, type ExitCode } from '../failures.js';
import { readLogin, writeLogin } from '../login-file.js';
import { USUAL_URL, addressOf, apiOf, isKey } from '../session.js';
import type { Terminal } from '../shell.js';
import { contentsOf } from '../values.js';

interface Options {
  readonly keyFile?: string;
  readonly json?: boolean;
}

async function addressFor(terminal: Terminal, given: string | undefined): Promise<string> {
  const { env } = terminal.shell;
  const named = given ?? env['HOLDPOINT_URL'] ?? '';
  if (named !== '') return addressOf(named);
  const usual = (await readLogin(env).catch(() => undefined))?.url ?? USUAL_URL;
  if (!terminal.isInteractive) return usual;
  return addressOf((await terminal.ask(`Address of Holdpoint [${usual}]:`)).trim() || usual);
}

/** Reads the key from a file, from the standard input, or from hidden typing; never from an argument, which others can see. */
async function keyFor(terminal: Terminal, file: string | undefined): Promise<string> {
  const key =
    file !== undefined
      ? await contentsOf(file, terminal)
      : terminal.isInteractive
        ? await terminal.ask('Key:', { isSecret: true })
        : await terminal.input();
  const trimmed = key.trim();
  if (trimmed === '') throw usage('No key was given: type it, pipe it in, or name its --key-file.');
  if (!isKey(trimmed)) throw usage('The key has characters that no key has.');
  return trimmed;
}

export function identityLine({ principal, roles, space }: Me): string {
  const where = space === 'default' ? '' : `, space ${space}`;
  return `${principal} (${roles.join(', ')}${where})`;
}

async function login(
  terminal: Terminal,
  address: string | undefined,
  options: Options,
): Promise<ExitCode> {
  const url = await addressFor(terminal, address);
  const api_key = await keyFor(terminal, options.keyFile);
  const { interrupted } = terminal.shell;
  const { operator } = apiOf({ url, api_key }, terminal, { interrupted });
  const me = await operator.me({ signal: interrupted }).catch((error: unknown) => {
    if (interrupted.aborted) throw error;
    // The earlier settings have nothing to do with this key and its address.
    const { line, exitCode } = endingOf(error);
    throw new CliError(exitCode, line, error);
  });
  const file = await writeLogin(terminal.shell.env, { url, api_key });
  if (options.json === true) terminal.json({ url, file, ...me });
  else terminal.out(`Signed in at ${url} as ${identityLine(me)}. Kept in ${file}.`);
  for (const name of ['HOLDPOINT_URL', 'HOLDPOINT_API_KEY']) {
    if ((terminal.shell.env[name] ?? '') !== '') {
      terminal.note(`${name} is set, and overrides the stored login.`);
    }
  }
  return EXIT.done;
}

export const addLogin: AddCommand = (command, terminal, end) => {
  command
    .argument('[address]', `address of Holdpoint, such as ${USUAL_URL}`)
    .option('--key-file <file>', 'the file with the key; - for the standard input')
    .option('--json', 'print the login as JSON')
    .action(
      end((address: string | undefined, options: Options) => login(terminal, address, options)),
    );
};
