import { execFile, spawnSync, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Runs a program as process 1 of a namespace of its own, as a container does. */
const AS_PID_1 = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;
/** Not everybody may make such a namespace; elsewhere the program is signalled as any other. */
const canBePid1 =
  spawnSync(AS_PID_1[0], [...AS_PID_1.slice(1), 'true'], { stdio: 'ignore' }).status === 0;

/** What to put before a program and its arguments, so that it runs as process 1 where that is allowed. */
export const RUNNER: readonly string[] = canBePid1 ? AS_PID_1 : [];
/** For the titles of tests that use it: what they showed. */
export const AS_WHAT = canBePid1 ? ' as process 1' : '';

/** How a program of Node with these arguments ends, and what it writes. */
export function endOf(
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { ...options, encoding: 'utf8' }, (error, out, err) => {
      resolve({ code: Number(error?.code ?? 0), out, err });
    });
  });
}

/** The process to signal: below `unshare`, its only child. */
export async function signalled({ pid = 0 }: ChildProcess): Promise<number> {
  return canBePid1 ? childOf(pid) : pid;
}

/** The only child of a process. */
export async function childOf(pid: number): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

/** The first line that fits, or the part of it that was asked for. The stream is not read any further. */
export async function untilSaid(from: Readable, wanted: RegExp): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: from })) {
    lines.push(line);
    const found = wanted.exec(line);
    if (found !== null) return found[1] ?? line;
  }
  throw new Error(`It ended before it said ${String(wanted)}: ${lines.join('\n')}`);
}
