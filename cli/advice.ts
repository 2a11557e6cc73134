import { ConnectionError, HoldpointError } from '../client/errors.js';
import { identityLine } from './commands/login.js';
import { isFolderHeld } from '../runtime/folder-lock.js';
import { dataFolderOf, stillStarting } from './local-service.js';
import { loginFile } from './login-file.js';
import { COMMAND } from './own-name.js';
import { USUAL_URL, apiOf, settingsOf } from './session.js';
import type { Settings } from './session.js';
import type { Terminal } from './shell.js';

/** A refusal is not kept back for longer to say whose key it was. */
const WITHIN_SECONDS = 2;

/**
 * Returns what to do about the error of a command: where the refused key came from and whose it is, or how to start the service.
 * Undefined if that would be no help. It only reads, and never rejects.
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
