import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A program of `examples/` in a process of its own. */
export interface SpawnedAgent {
  readonly lines: Interface;
  /** Rejects where it ends, with what it wrote to its standard error. */
  readonly ended: Promise<never>;
  readonly kill: () => void;
}

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Starts a file of `examples/` with these settings beside the environment of this process. */
export function spawnAgent(file: string, settings: Readonly<Record<string, string>>): SpawnedAgent {
  const program = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child = spawn(process.execPath, ['--import', TSX, program], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('close', (code) => {
      reject(new Error(`an agent ended early (exit code ${String(code)}): ${errors.trim()}`));
    });
  });
  return { lines: createInterface({ input: child.stdout }), ended, kill: () => void child.kill() };
}
