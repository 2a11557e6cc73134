import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOPBACK = '127.0.0.1';
const ANSWER_TIMEOUT_MS = 1_000;
/** How often a holder shows other hosts that it is alive, and the silence after which they ignore it. */
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = 60_000;

interface Claim {
  readonly pid: number;
  readonly port: number;
  readonly host: string;
}

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string, { pid, host }: Claim) {
    const where = host === ownHost() ? '' : ` on ${decodeURIComponent(host)}`;
    super(`the folder ${folder} is in use by process ${pid}${where}`);
  }
}

export interface FolderLock {
  /** Whether an earlier holder had not removed its claim. */
  readonly tookOver: boolean;
  release(): Promise<void>;
}

/**
 * Claims a folder for this process, and creates it if needed. A folder has one lock for each `name`. On this host a
 * claim counts while its process lives and its loopback port answers; on other hosts until its file has been silent
 * for a minute.
 *
 * Each claimant writes its own claim before it looks for others, so two on one host can never both hold the folder;
 * two that start at the same instant may both be refused. Throws `FolderInUseError`.
 */
export async function lockFolder(folder: string, name = 'holder'): Promise<FolderLock> {
  await mkdir(folder, { recursive: true });
  // A claim that cannot win would only hinder others.
  const tookOver = await refuseOthers(folder, name);
  const server = createServer((socket) => socket.destroy());
  const port = await listen(server);
  const own = path.join(folder, fileOf(name, { pid: process.pid, port, host: ownHost() }));
  const heartbeat = setInterval(() => {
    utimes(own, new Date(), new Date()).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  const release = async (): Promise<void> => {
    clearInterval(heartbeat);
    await rm(own, { force: true });
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    await writeFile(own, '');
    await refuseOthers(folder, name, own);
  } catch (error) {
    await release();
    throw error;
  }
  return { tookOver, release };
}

/** Whether some process holds a folder. Changes nothing, and a folder that cannot be read is not held. */
export async function isFolderHeld(folder: string, name = 'holder'): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  for (const entry of entries) {
    const claim = claimOf(name, entry);
    if (claim !== undefined && (await counts(path.join(folder, entry), claim))) return true;
  }
  return false;
}

/** Throws if another claim counts. Removes stale claims and returns whether there were any. */
async function refuseOthers(folder: string, name: string, own?: string): Promise<boolean> {
  let removed = false;
  for (const entry of await readdir(folder)) {
    const claim = claimOf(name, entry);
    const file = path.join(folder, entry);
    if (claim === undefined || file === own) continue;
    if (await counts(file, claim)) throw new FolderInUseError(folder, claim);
    await rm(file, { force: true });
    removed = true;
  }
  return removed;
}

async function counts(file: string, { pid, port, host }: Claim): Promise<boolean> {
  if (host === ownHost()) return isAlive(pid) && answers(port);
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs < SILENCE_MS;
}

function ownHost(): string {
  return encodeURIComponent(hostname());
}

function fileOf(name: string, { pid, port, host }: Claim): string {
  return `${name}@${pid}-${port}-${host}.lock`;
}

function claimOf(name: string, file: string): Claim | undefined {
  if (!file.startsWith(`${name}@`)) return undefined;
  const [, pid, port, host] = /^(\d+)-(\d+)-(.+)\.lock$/.exec(file.slice(name.length + 1)) ?? [];
  return host === undefined ? undefined : { pid: Number(pid), port: Number(port), host };
}

function listen(server: Server): Promise<number> {
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a port answers; one that neither accepts nor refuses in time counts as held. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port, timeout: ANSWER_TIMEOUT_MS });
    const end = (held: boolean): void => {
      socket.destroy();
      resolve(held);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(true));
    socket.once('error', () => end(false));
  });
}

export interface FolderWait {
  readonly patienceMs: number;
  /** About the time between two claims; a random part keeps two waiting processes apart. */
  readonly pollMs?: number;
  /** Called once, when the first claim was refused. */
  readonly onWait?: (error: FolderInUseError) => void;
}

const POLL_MS = 200;
/** A process ends sooner than this once its supervisor is gone. */
const ENDING_HOLDER: FolderWait = { patienceMs: 15_000 };

/**
 * Repeats `claim` while it throws `FolderInUseError`. By default it waits 15 s for a holder whose supervisor was
 * killed.
 */
export async function waitForFolder<T>(
  claim: () => Promise<T>,
  { patienceMs, pollMs = POLL_MS, onWait }: FolderWait = ENDING_HOLDER,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await claim();
    } catch (error) {
      if (!(error instanceof FolderInUseError) || Date.now() > deadline) throw error;
      if (tries === 1) onWait?.(error);
      await pause(pollMs * (0.5 + Math.random()));
    }
  }
}
