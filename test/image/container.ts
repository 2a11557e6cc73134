import { spawn, spawnSync, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { RUNNER, signalled } from '../support/processes.js';
import type { Image } from './dockerfile.js';

const CONTAINED = path.join(import.meta.dirname, 'contained.sh');
const PROBE =
  'mount -t tmpfs tmpfs /mnt && exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs true';

/** Why this machine cannot run a program as a container does; undefined if it can. */
function whyNot(): string | undefined {
  const [program, ...args] = RUNNER;
  if (program === undefined) return 'This user may not make a namespace of processes.';
  const { status, stderr, error } = spawnSync(program, [...args, 'sh', '-c', PROBE], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : String(error ?? stderr).trim();
}

/** Why programs run here as the user of the tests, on the root of the machine; undefined if they run as in a container. */
export const WHY_NOT_CONTAINED = whyNot();

/** What a container has of the machine. */
export interface Bind {
  readonly from: string;
  readonly to: string;
  readonly isWritable?: boolean;
}

/** What a program runs with besides its image. */
export interface Setup {
  readonly image: Image;
  readonly binds: readonly Bind[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a program has written, and how it ended. */
interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** A program of an image, as process 1 where this machine allows it. */
export class Container {
  readonly #child: ChildProcess;
  /** Resolves once it has ended. */
  readonly outcome: Promise<Outcome>;

  /** @param command - the whole command: the entry point, too */
  constructor(setup: Setup, command: readonly string[], input = '') {
    const root = mkdtempSync(path.join(tmpdir(), 'holdpoint-root-'));
    const node = { from: process.execPath, to: '/usr/local/bin/node' };
    const { args, env } = started({ ...setup, binds: [node, ...setup.binds] }, command, root);
    const [program = '', ...rest] = args;
    const child = spawn(program, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(input);
    this.#child = child;
    this.outcome = outcomeOf(child).finally(() => rmSync(root, { recursive: true }));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Ends it as `docker stop` does. */
  async stop(): Promise<Outcome> {
    if (this.isRunning) process.kill(await signalled(this.#child), 'SIGTERM');
    return this.outcome;
  }
}

async function outcomeOf(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
): Promise<Outcome> {
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

/** The entry point of an image with these arguments. */
export function commandOf({ entrypoint, cmd }: Image, ...args: readonly string[]) {
  return [...entrypoint, ...(args.length > 0 ? args : cmd)];
}

interface Started {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

function started({ image, binds, env }: Setup, command: readonly string[], root: string): Started {
  // An engine sets the home of the user, which is that of the base.
  const all = { HOME: '/home/node', ...image.env, ...env };
  if (WHY_NOT_CONTAINED === undefined) {
    const [uid = ''] = image.user.split(':');
    const parts = binds.map(
      ({ from, to, isWritable }) => `${from}:${to}:${isWritable ? 'rw' : 'ro'}`,
    );
    const args = [...RUNNER, CONTAINED, uid, image.workdir, root, ...parts, '--', ...command];
    return { args, env: all };
  }
  const here = (value: string): string =>
    binds.reduce((changed, { from, to }) => changed.replaceAll(to, from), value);
  const outside = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, here(value)]),
  );
  const PATH = `${path.dirname(process.execPath)}:${String(outside['PATH'])}`;
  return {
    args: [...RUNNER, 'env', '-C', root, ...command.map(here)],
    env: { ...outside, PATH, HOME: root },
  };
}
