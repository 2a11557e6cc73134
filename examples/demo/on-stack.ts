import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isolatedEnv } from '../../service/settings.js';
import { startStack, type Stack } from '../../service/stack.js';
import { KEYS } from './approvals/story.js';
import { CONFIG } from './story.js';

/** Runs `play` on a whole Holdpoint in a temporary folder; both are gone when it ends. */
export async function onStack<T>(
  note: (text: string) => void,
  signal: AbortSignal,
  play: (stack: Stack) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-demo-'));
  const configPath = path.join(folder, 'openintent.yaml');
  const env = { ...isolatedEnv(process.env), HOLDPOINT_API_KEYS: JSON.stringify(KEYS) };
  const log = stackLines(note);
  try {
    await writeFile(configPath, CONFIG);
    const dataDir = path.join(folder, 'data');
    note('starting Temporal, the store, a worker and the API');
    const stack = await startStack({ dataDir, env, configPath, log, signal, buildsInbox: true });
    try {
      return await play(stack);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Picks what the demo shows out of the lines of a running stack: each message of a channel as one line
 * (its first two), and what the supervisor says of a process that ended.
 */
export function stackLines(show: (text: string) => void): (line: string) => void {
  let heading: string | undefined;
  return (line) => {
    if (heading !== undefined) show(`${heading}: ${line.trim()}`);
    heading = /^\[\w+\] to /.test(line) ? line : undefined;
    if (/starting again in|^Temporal CLI|so far$|the inbox/i.test(line)) show(line);
  };
}

/** The first key of a stack that has a role. Throws where there is none. */
export function keyOf({ keys }: Pick<Stack, 'keys'>, role: 'agent' | 'operator'): string {
  const found = keys.find(({ roles }) => roles.includes(role));
  if (found === undefined) throw new Error(`There is no key with the role ${role}.`);
  return found.key;
}
