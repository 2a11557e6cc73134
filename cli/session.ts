import { Agent } from '../client/agent.js';
import { Connection } from '../client/connection.js';
import type { ConnectionOptions } from '../client/connection.js';
import { serverAddress } from '../client/address.js';
import type { SuspensionView } from '../client/index.js';
import { Operator } from '../client/operator.js';
import { SYSTEM_TIMERS } from '../client/retry.js';
import type { Timers } from '../client/retry.js';
import { EXIT } from './exit-codes.js';
import { CliError, usage } from './failures.js';
import { loginFile, readLogin } from './login-file.js';
import type { Login } from './login-file.js';
import type { Shell, Terminal } from './shell.js';

/** Where `npm start` listens. */
export const USUAL_URL = 'http://127.0.0.1:4000';
/** A command does not wait long for a service that is away: a person looks at it. */
const TRIES = 3;

/** Where the service is, with which key, and where that is written. */
export interface Settings extends Login {
  readonly from: string;
}

/**
 * The address and key in force: `HOLDPOINT_URL` and `HOLDPOINT_API_KEY`, else those of `holdpoint login`. The key of a login is
 * sent to its own address only.
 */
export async function settingsOf(env: Shell['env']): Promise<Settings> {
  const settings = await settingsIn(env);
  const { api_key, from } = settings;
  if (!isKey(api_key.trim())) {
    throw new CliError(EXIT.notAllowed, `The key of ${from} has characters that no key has.`);
  }
  return settings;
}

/** Whether a text can be a key: no header can carry other characters, or not in every program. */
export function isKey(text: string): boolean {
  return /^[\u0020-\u007e]+$/.test(text);
}

async function settingsIn(env: Shell['env']): Promise<Settings> {
  const given = { url: env['HOLDPOINT_URL'] ?? '', key: env['HOLDPOINT_API_KEY'] ?? '' };
  const login = given.url !== '' && given.key !== '' ? undefined : await readLogin(env);
  const url = addressOf(given.url || login?.url || USUAL_URL);
  if (given.key !== '') return { url, api_key: given.key, from: 'the environment' };
  if (login === undefined) {
    throw new CliError(
      EXIT.notAllowed,
      'No key: sign in with `holdpoint login`, or set HOLDPOINT_API_KEY (and HOLDPOINT_URL).',
    );
  }
  if (addressOf(login.url) !== url) {
    throw new CliError(
      EXIT.notAllowed,
      `The login is for ${login.url}, and HOLDPOINT_URL is ${url}: set HOLDPOINT_API_KEY too.`,
    );
  }
  return { url, api_key: login.api_key, from: loginFile(env) };
}

/** Checks an address before anything is sent to it. */
export function addressOf(url: string): string {
  try {
    return serverAddress(url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usage(error.message.replace('baseUrl', 'The address'));
  }
}

/** The service as one key sees it. */
export interface Api {
  readonly url: string;
  readonly connection: Connection;
  readonly agent: Agent;
  readonly operator: Operator;
  /** Ends reads. Before anything is sent, its `throwIfAborted()` makes sure that this is still wanted. */
  readonly interrupted: AbortSignal;
}

/** What an API is prepared with besides its address and key. */
interface ApiOptions extends Partial<ConnectionOptions> {
  /** Nothing is tried again once it is aborted. */
  readonly interrupted?: AbortSignal;
}

/** Prepares calls; nothing is sent yet. */
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

/** A question as it stands. */
export function readView({ operator, interrupted }: Api, id: string): Promise<SuspensionView> {
  return operator.getSuspension(id, { signal: interrupted });
}

/** The service with the address and key in force. */
export async function signedIn(terminal: Terminal): Promise<Api> {
  const { env, interrupted } = terminal.shell;
  return apiOf(await settingsOf(env), terminal, { interrupted });
}
