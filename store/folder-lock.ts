import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOPBACK = '127.0.0.1';
const ANSWER_TIMEOUT_MS = 1_000;
const LOCK_NAME = /^holder-(\d+)-(\d+)\.lock$/;

/** Somebody else works in the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string, pid: number) {
    super(`the data folder ${folder} is in use by process ${pid}`);
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Claims a folder for this process, creating it where needed. The claim ends with the process, however
 * it ends: it counts only while the named process lives and the named loopback port answers. Each
 * claimant writes its own claim before it looks for others, so two can never both hold the folder
 * (two that start in the same instant may both be refused). Throws `FolderInUseError`.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true });
  const server = createServer((socket) => socket.destroy());
  const port = await listen(server);
  const own = `holder-${process.pid}-${port}.lock`;
  const release = async (): Promise<void> => {
    await rm(path.join(folder, own), { force: true });
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    await writeFile(path.join(folder, own), '');
    await refuseOthers(folder, own);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

async function refuseOthers(folder: string, own: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid, port] = LOCK_NAME.exec(name) ?? [];
    if (name === own || pid === undefined) continue;
    if (isAlive(Number(pid)) && (await answers(Number(port)))) {
      throw new FolderInUseError(folder, Number(pid));
    }
    await rm(path.join(folder, name), { force: true });
  }
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
    // EPERM: it lives, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A port that neither accepts nor refuses in time counts as held. */
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

const POLL_MS = 200;
/** Longer than a process takes to end once its supervisor is gone. */
const PATIENCE_MS = 15_000;

/**
 * Runs `claim` again for up to 15 s while it throws `FolderInUseError`: the holder may be a process
 * that is just ending because its own supervisor was killed.
 */
export async function waitForFolder<T>(claim: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (!(error instanceof FolderInUseError) || Date.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}
