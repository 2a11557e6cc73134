import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How a process ended (`SIGKILL` or `exit code 1`), and its last lines on stderr. */
export interface ProcessEnd {
  readonly how: string;
  readonly lastLines: string;
}

export interface LaunchedProcess {
  /** -1 if it could not be started. */
  readonly pid: number;
  /** Resolves when it reports that it is ready; never, if it ends first. */
  readonly ready: Promise<void>;
  /** Resolves once it is gone. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Sends a signal to the process alone. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Sends a signal to the process and to everything it started. */
  readonly signalAll: (signal: NodeJS.Signals) => void;
}

interface NodeProgram {
  /** A `.ts` file, run through tsx, or a built `.js` file. */
  readonly script: URL;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

const TAIL_LINES = 15;

/**
 * Starts a program as a Node process with an IPC channel to this one: it reports `ready` over it (`sayReady`), and
 * the channel closes when this process is gone. It leads its own process group, so that Ctrl-C reaches only this
 * process, and its children end with it.
 */
export function launchNode(program: NodeProgram): LaunchedProcess {
  const child = spawn(process.execPath, nodeArgs(program), {
    env: program.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const tail: string[] = [];
  eachLine(child.stdout, (line) => program.onLine(line, 'stdout'));
  eachLine(child.stderr, (line) => {
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    program.onLine(line, 'stderr');
  });
  const signalAll = (signal: NodeJS.Signals): void => signalGroup(child, signal);
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (message === 'ready') resolve();
    });
  });
  const ended = howItEnds(child, signalAll).then((how) => ({ how, lastLines: tail.join('\n') }));
  return {
    pid: child.pid ?? -1,
    ready,
    ended,
    signal: (signal) => void child.kill(signal),
    signalAll,
  };
}

function nodeArgs({ script, args = [] }: NodeProgram): string[] {
  const file = fileURLToPath(script);
  return [...(file.endsWith('.ts') ? ['--import', tsxLoader()] : []), file, ...args];
}

/** `import.meta.resolve` is missing where this file was itself loaded through `require`. */
function tsxLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}

function eachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream, crlfDelay: Infinity }).on('line', take);
}

/** Resolves when the process is gone and its output has been read. */
function howItEnds(
  child: ChildProcess,
  signalAll: (signal: NodeJS.Signals) => void,
): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(`an error: ${error.message}`);
    });
    // Its children are ended too: they would keep ports and output open.
    child.once('exit', () => signalAll('SIGKILL'));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // EPERM: some systems report this when the whole group has ended.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Returns the URL of a program of this project, given without extension: `.ts` from the sources, `.js` when built. */
export function siblingScript(relative: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`${relative}.${extension}`, import.meta.url);
}

/** The variables that any Node program may need; none is a secret of Holdpoint. */
const COMMON_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|NODE_\w+|XDG_\w+|SSL_CERT_\w+|GRPC_\w+|\w*_PROXY|\w*_proxy|NO_COLOR|FORCE_COLOR|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

/**
 * Returns the environment of a supervised process: what every program needs, and `own`, but no keys of other
 * processes.
 */
export function childEnv(
  env: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
  const common = Object.entries(env).filter(([name]) => COMMON_VARIABLES.test(name));
  const set = Object.entries(own).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...common, ...set]);
}
