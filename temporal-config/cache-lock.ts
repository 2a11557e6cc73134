import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const HEARTBEAT_MS = 5_000;
/** A holder on another host, or one whose number was given to a new process, is judged by this. */
const SILENCE_MS = 60_000;

export interface LockOptions {
  log: (line: string) => void;
  /** Milliseconds between two looks at a lock that another run holds. */
  pollMs?: number;
}

/**
 * Runs `work` while no other run, in this process or another, holds the lock file at `path`; a run
 * that has to wait says so once. A lock whose process is dead on this host, or that has shown no
 * sign of life for a minute, is taken over.
 *
 * It saves work, it does not guard data: in the narrow case that two runs take over at the same
 * instant both may work, so `work` must publish its result in one atomic step.
 */
export async function withCacheLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions,
): Promise<T> {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  await acquire(path, token, options);
  const heartbeat = setInterval(() => {
    // A lock that has been taken from us is no longer ours to keep fresh.
    utimes(path, new Date(), new Date()).catch(() => clearInterval(heartbeat));
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await removeIfUnchanged(path, token);
  }
}

async function acquire(path: string, token: string, options: LockOptions): Promise<void> {
  let told = false;
  while (!(await create(path, token))) {
    const held = await read(path);
    if (held === undefined) continue;
    if (isAbandoned(held)) {
      options.log(`taking over ${path}, left by a run that ended early`);
      await removeIfUnchanged(path, held.text);
      continue;
    }
    if (!told) options.log(`waiting for another run that holds ${path}`);
    told = true;
    await pause(options.pollMs ?? 250);
  }
}

async function create(path: string, token: string): Promise<boolean> {
  try {
    await writeFile(path, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

interface Held {
  text: string;
  silentMs: number;
}

async function read(path: string): Promise<Held | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    return { text: await readFile(path, 'utf8'), silentMs: Date.now() - mtimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isAbandoned({ text, silentMs }: Held): boolean {
  if (silentMs > SILENCE_MS) return true;
  const holder = /^\{"pid":(\d+),"host":("[^"]*")/.exec(text);
  // Half-written by a run that is just taking it, or by one that died doing so.
  if (holder === null) return silentMs > HEARTBEAT_MS;
  return holder[2] === JSON.stringify(hostname()) && !isAlive(Number(holder[1]));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Moves the lock aside before it looks, so that of several runs only one removes it. */
async function removeIfUnchanged(path: string, expected: string): Promise<void> {
  if ((await read(path))?.text !== expected) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await readFile(aside, 'utf8');
  if (moved !== expected) await create(path, moved);
  await rm(aside, { force: true });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
