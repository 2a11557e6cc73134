import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { RecentWrites } from '../contracts/constants/headers.js';
import { Agent } from '../client/agent.js';
import { Connection, serverAddress, type ConnectionOptions } from '../client/connection.js';
import type { SuspensionView } from '../client/index.js';
import { Operator } from '../client/operator.js';
import { SYSTEM_TIMERS, type Timers } from '../client/retry.js';
import type { Role } from '../contracts/people/api-key.js';
import { CliError, EXIT, usage } from './failures.js';
import { isFolderHeld } from '../runtime/folder-lock.js';
import {
  dataFolderOf,
  keyOf,
  localService,
  stillStarting,
  type FoundService,
} from './local-service.js';
import { loginFile, readLogin, type Login } from './login-file.js';
import type { Shell, Terminal } from './shell.js';
import { COMMAND } from './own-name.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the file that holds the latest writes for the next commands, in the state folder of the XDG rules. */
export function writesFile(env: Env): string {
  const own = env['XDG_STATE_HOME'] ?? '';
  const home = env['HOME'] || homedir();
  const folder = path.isAbsolute(own) ? own : path.join(home, '.local', 'state');
  return path.join(folder, 'holdpoint', 'recent-writes.json');
}

/**
 * Keeps what this person's commands have just written to a service, in a file: the next command may reach another
 * replica. Errors of the file are ignored, because a command has done its work without it.
 */
export class KeptWrites {
  private readonly file: string;
  private readonly url: string;

  /** @param url - the address of the service */
  constructor(env: Env, url: string) {
    this.file = writesFile(env);
    this.url = url;
  }

  note(by: string | null, now: number): void {
    if (by === null) return;
    const writes = this.read();
    writes.note(by, now);
    try {
      mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
      const fresh = `${this.file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify({ url: this.url, kept: writes.kept }), { mode: 0o600 });
      renameSync(fresh, this.file);
    } catch {
      // Without the file, the next command sees what the store shows by then.
    }
  }

  toSend(now: number): string | undefined {
    return this.read().toSend(now);
  }

  private read(): RecentWrites {
    try {
      const { url, kept } = JSON.parse(readFileSync(this.file, 'utf8')) as {
        url?: unknown;
        kept?: unknown;
      };
      return new RecentWrites(url === this.url && Array.isArray(kept) ? kept.filter(isNamed) : []);
    } catch {
      return new RecentWrites();
    }
  }
}

function isNamed(one: unknown): one is RecentWrites['kept'][number] {
  const { by, at } = (one ?? {}) as { by?: unknown; at?: unknown };
  // A header has no other characters.
  return typeof by === 'string' && /^[\w.-]+$/.test(by) && typeof at === 'number';
}

/** The address at which `npm start` listens. */
export const USUAL_URL = 'http://127.0.0.1:4000';
/** A command does not wait long for an unreachable service, because a person watches it. */
const TRIES = 3;

export interface Settings extends Login {
  readonly from: string;
  /** Whether the key comes from `HOLDPOINT_API_KEY`. */
  readonly isOfVariable: boolean;
}

/**
 * Returns address and key: `HOLDPOINT_URL` and `HOLDPOINT_API_KEY`, else those of `holdpoint login`, else those of
 * the service that `npm start` runs in this folder. The key of a login, or of a folder, is sent only to its own
 * address.
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

/** Returns the settings of the login, if there is one, then those of the service in this folder, if there is one. */
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

/** Returns the error that a service of this folder has no keys yet, or that none runs. */
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

export function addressOf(url: string): string {
  try {
    return serverAddress(url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usage(error.message.replace('baseUrl', 'The address'));
  }
}

export interface Api {
  readonly url: string;
  readonly connection: Connection;
  readonly agent: Agent;
  readonly operator: Operator;
  /** Ends reads. Call its `throwIfAborted()` before sending anything. */
  readonly interrupted: AbortSignal;
}

interface ApiOptions extends Partial<ConnectionOptions> {
  /** Once it is aborted, nothing is retried. */
  readonly interrupted?: AbortSignal;
}

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

/** Notes that another service is called than the one of this folder, because a person may mean the latter. */
async function noteOther(terminal: Terminal, { url, from }: Settings): Promise<void> {
  const { env, cwd } = terminal.shell;
  const local = await localService(env, cwd);
  if (local === undefined || local.url === url || from !== loginFile(env)) return;
  terminal.note(
    `Your login is for ${url}. To use the service of this folder, set HOLDPOINT_URL=${local.url}`,
  );
}
