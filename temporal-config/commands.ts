import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** Returns the file name of a program on this platform: `temporal`, on Windows `temporal.exe`. */
export function executableName(program: string): string {
  return program + SUFFIX;
}

/** Whether `path` is a regular file that this user may execute. */
export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Returns the first executable file called `program` in the folders of `env.PATH`, or undefined. */
export async function findExecutable(
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, executableName(program));
    if (folder !== '' && (await isExecutableFile(candidate))) return candidate;
  }
  return undefined;
}

const PROGRESS_MS = 10_000;
const TAIL_LINES = 15;
const TAIL_CHARACTERS = 16_384;

interface Command {
  program: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The activity, for progress lines: `building the Temporal CLI`. */
  label: string;
  log: (line: string) => void;
  /** Milliseconds after which the command is killed. */
  limitMs: number;
}

/**
 * Runs a command that may take minutes, with a line of progress every ten seconds.
 *
 * @throws Error with the command's last lines of output if it cannot be started, does not exit with 0, or
 * takes longer than `limitMs` milliseconds
 */
export async function runCommand(command: Command): Promise<void> {
  const { program, args, cwd, env, label, log, limitMs } = command;
  const started = Date.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lastLines = keepLastLines(child);
  const progress = setInterval(() => {
    log(`${label}: ${Math.round((Date.now() - started) / 1000)} s so far`);
  }, PROGRESS_MS);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  try {
    const end = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve(signal === null ? `exit code ${String(code)}` : `killed by ${signal}`);
      });
    });
    if (end !== 'exit code 0') {
      throw new Error(`${program} ended with ${end}: ${lastLines()}`);
    }
  } finally {
    clearInterval(progress);
    clearTimeout(limit);
  }
}

/** Keeps the end of a program's output. Returns a function that returns its last lines, for an error message. */
export function keepLastLines({ stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>) {
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-TAIL_CHARACTERS);
    });
  }
  return (): string => output.trim().split('\n').slice(-TAIL_LINES).join('\n');
}

/**
 * Returns what a program prints to both streams when run with `args`; undefined if it cannot be started, does not
 * exit with 0, or takes more than 30 seconds.
 */
export async function answerOf(path: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(path, [...args], { timeout: 30_000 });
    return stdout + stderr;
  } catch {
    return undefined;
  }
}
