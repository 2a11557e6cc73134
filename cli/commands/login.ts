import type { Me } from '../../contracts/me.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { usage } from '../failures.js';
import { readLogin, writeLogin } from '../login-file.js';
import { USUAL_URL, addressOf, apiOf, isKey } from '../session.js';
import type { Terminal } from '../shell.js';
import { contentsOf } from '../values.js';

interface Options {
  readonly keyFile?: string;
  readonly json?: boolean;
}

/** The address that is given, or that somebody types. */
async function addressFor(terminal: Terminal, given: string | undefined): Promise<string> {
  const { env } = terminal.shell;
  const named = given ?? env['HOLDPOINT_URL'] ?? '';
  if (named !== '') return addressOf(named);
  const usual = (await readLogin(env).catch(() => undefined))?.url ?? USUAL_URL;
  if (!terminal.isInteractive) return usual;
  return addressOf((await terminal.ask(`Address of Holdpoint [${usual}]:`)).trim() || usual);
}

/** The key from a file, from what is piped in, or typed without being shown. Never from an argument, which others can see. */
async function keyFor(terminal: Terminal, file: string | undefined): Promise<string> {
  const input = (): Promise<string> => terminal.input();
  const key =
    file !== undefined
      ? await contentsOf(file, input)
      : terminal.isInteractive
        ? await terminal.ask('Key:', { isSecret: true })
        : await input();
  const trimmed = key.trim();
  if (trimmed === '') throw usage('No key was given: type it, pipe it in, or name its --key-file.');
  if (!isKey(trimmed)) throw usage('The key has characters that no key has.');
  return trimmed;
}

/** Says in one line whom a key stands for. */
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
  const me = await operator.me({ signal: interrupted });
  const file = await writeLogin(terminal.shell.env, { url, api_key });
  if (options.json === true) terminal.json({ url, file, ...me });
  else terminal.out(`Signed in at ${url} as ${identityLine(me)}. Kept in ${file}.`);
  for (const name of ['HOLDPOINT_URL', 'HOLDPOINT_API_KEY']) {
    if ((terminal.shell.env[name] ?? '') !== '') {
      terminal.note(`${name} is set, and goes before what was kept.`);
    }
  }
  return EXIT.done;
}

export const addLogin: AddCommand = (command, terminal, end) => {
  command
    .argument('[address]', `address of Holdpoint, such as ${USUAL_URL}`)
    .option('--key-file <file>', 'the file that has the key; - for the standard input')
    .option('--json', 'print what was found as JSON')
    .action(
      end((address: string | undefined, options: Options) => login(terminal, address, options)),
    );
};
