import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack, type Stack } from '../../service/stack.js';
import { untiedEnv } from '../../service/untied-env.js';
import { stackLines } from './messages.js';
import { CONFIG } from './story.js';

/** Runs `play` on a whole Holdpoint in a temporary folder; both are gone when it ends. */
export async function onStack<T>(
  note: (text: string) => void,
  signal: AbortSignal,
  play: (stack: Stack) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-demo-'));
  const configPath = path.join(folder, 'openintent.yaml');
  const env = untiedEnv(process.env);
  const log = stackLines(note);
  try {
    await writeFile(configPath, CONFIG);
    const dataDir = path.join(folder, 'data');
    note('starting Temporal, the store, a worker and the API');
    const stack = await startStack({ dataDir, env, configPath, log, signal });
    try {
      return await play(stack);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
