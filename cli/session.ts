import { Agent } from '../client/agent.js';
import { Connection } from '../client/connection.js';
import type { ConnectionOptions } from '../client/connection.js';
import { serverAddress } from '../client/address.js';
import type { SuspensionView } from '../client/index.js';
import { Operator } from '../client/operator.js';
import { SYSTEM_TIMERS } from '../client/retry.js';
import type { Timers } from '../client/retry.js';
import type { Role } from '../contracts/people/api-key.js';
import { EXIT } from './exit-codes.js';
import { CliError, usage } from './failures.js';
import { KeptWrites } from './kept-writes.js';
import { isFolderHeld } from '../runtime/folder-lock.js';
import { dataFolderOf, keyOf, localService, stillStarting } from './local-service.js';
import type { FoundService } from './local-service.js';
import { loginFile, readLogin } from './login-file.js';
import type { Login } from './login-file.js';
import type { Shell, Terminal } from './shell.js';
import { COMMAND } from './own-name.js';

/** The address at which `npm start` listens. */
export const USUAL_URL = 'http://127.0.0.1:4000';
/** A command does not wait long for an unreachable service, because a person watches it. */
const TRIES = 3;

/** The address of the service, the key, and the place where the key is set. */
export interface Settings extends Login {
  readonly from: string;
  /** Whether it is `HOLDPOINT_API_KEY` that has the key. */
  readonly isOfVariable: boolean;
}

/**
 * Returns the current address and key: `HOLDPOINT_URL` and `HOLDPOINT_API_KEY`, else those of `holdpoint login`, else those of the
 * service that `npm start` runs in this folder. The key of a login, or of a folder, is sent only to its own address.
 *
 * @param role - the role of the key for development, if it is one
 */
export async function settingsOf(
  shell: Pick<Shell, 'env' | 'cwd'>,
  role: Role = 'operator',
): Promise<Settings> {
  const settings = await settingsIn(shell, role);
  const { api_key, from } = settings;
  if (!isKey(api_key.trim())) {
    throw new CliError(EXIT.notAllowed, `The key of ${from} has characters that no key has.`);
  }
  return settings;
}

/** Whether a text can be a key: not every program can send other characters in a header. */
export function isKey(text: string): boolean {
  return /^[\u0020-\u007e]+$/.test(text);
}

async function settingsIn(shell: Pick<Shell, 'env' | 'cwd'>, role: Role): Promise<Settings> {
  const { HOLDPOINT_URL: given = '', HOLDPOINT_API_KEY: api_key = '' } = shell.env;
  const ofVariable = { api_key, from: 'the environment', isOfVariable: true };
  if (given !== '' && api_key !== '') return { url: addressOf(given), ...ofVariable };
  const local = await localService(shell.env, shell.cwd);
  const kept = await keptSettings(shell, local, role);
  const url = addressOf(given || (kept[0]?.url ?? USUAL_URL));
  if (api_key !== '') return { url, ...ofVariable };
  const fitting = kept.find((one) => addressOf(one.url) === url);
  if (fitting !== undefined) return { ...fitting, url };
  const [first] = kept;
  if (first === undefined && given === '' && local === undefined) throw await noService(shell);
  throw new CliError(EXIT.notAllowed, first === undefined ? NO_KEY : keyElsewhere(first, url));
}

/** Returns the login, if there is one, then the service of this folder, if there is one. */
async function keptSettings(
  { env }: Pick<Shell, 'env'>,
  local: FoundService | undefined,
  role: Role,
): Promise<readonly Settings[]> {
  const login = await readLogin(env);
  const made = local && keyOf(local, role);
  const isOfVariable = false;
  return [
    ...(login ? [{ ...login, from: loginFile(env), isOfVariable }] : []),
    ...(local && made ? [{ url: local.url, api_key: made, from: local.folder, isOfVariable }] : []),
  ];
}

const SIGN_IN = `sign in with \`${COMMAND} login\`, or set HOLDPOINT_API_KEY (and HOLDPOINT_URL)`;
const NO_KEY = `No key: ${SIGN_IN}.`;

/** Says whether a service of this folder has no keys yet, or none runs. */
async function noService({ env, cwd }: Pick<Shell, 'env' | 'cwd'>): Promise<CliError> {
  const folder = dataFolderOf(env, cwd);
  if (await isFolderHeld(folder)) {
    return new CliError(EXIT.unavailable, `${stillStarting(folder)}.`);
  }
  return new CliError(
    EXIT.notAllowed,
    `No key, and no service runs in this folder: start one with \`${COMMAND} start\`, or ${SIGN_IN}.`,
  );
}

function keyElsewhere({ from, url }: Settings, wanted: string): string {
  return `The key of ${from} is for ${url}, and HOLDPOINT_URL is ${wanted}: set HOLDPOINT_API_KEY too.`;
}

/** Checks and returns an address. */
export function addressOf(url: string): string {
  try {
    return serverAddress(url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usage(error.message.replace('baseUrl', 'The address'));
  }
}

/** The service, called with one key. */
export interface Api {
  readonly url: string;
  readonly connection: Connection;
  readonly agent: Agent;
  readonly operator: Operator;
  /** Ends reads. Call its `throwIfAborted()` before sending anything. */
  readonly interrupted: AbortSignal;
}

/** Options besides the address and the key. */
interface ApiOptions extends Partial<ConnectionOptions> {
  /** Nothing is retried once it is aborted. */
  readonly interrupted?: AbortSignal;
}

/** Prepares calls without sending anything. */
export function apiOf(
  { url, api_key }: Login,
  terminal: Pick<Terminal, 'note'>,
  { interrupted = new AbortController().signal, ...more }: ApiOptions = {},
): Api {
  const logger = { warn: (line: string) => terminal.note(line) };
  const pause: Timers['pause'] = (ms, signal) => SYSTEM_TIMERS.pause(ms, signal ?? interrupted);
  const own = { tries: TRIES, timers: { pause }, logger };
  const options = { baseUrl: url, apiKey: api_key, ...own, ...more };
  return {
    url,
    connection: new Connection(options),
    agent: new Agent(options),
    operator: new Operator(options),
    interrupted,
  };
}

/** Reads a question. */
export function readView({ operator, interrupted }: Api, id: string): Promise<SuspensionView> {
  return operator.getSuspension(id, { signal: interrupted });
}

/** Returns the service with the current address and key; `role` is that of a key for development. */
export async function signedIn(terminal: Terminal, role: Role = 'operator'): Promise<Api> {
  const { shell } = terminal;
  const settings = await settingsOf(shell, role);
  if (terminal.isInteractive) await noteOther(terminal, settings);
  const writes = new KeptWrites(shell.env, settings.url);
  return apiOf(settings, terminal, { interrupted: shell.interrupted, writes });
}

/** Says that the service of this folder is not the one that is asked, because a person may mean that one. */
async function noteOther(terminal: Terminal, { url, from }: Settings): Promise<void> {
  const { env, cwd } = terminal.shell;
  const local = await localService(env, cwd);
  if (local === undefined || local.url === url || from !== loginFile(env)) return;
  terminal.note(
    `Your login is for ${url}. To use the service of this folder, set HOLDPOINT_URL=${local.url}`,
  );
}
