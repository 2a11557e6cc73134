import path from 'node:path';
import { runMain } from '../runtime/run-main.js';
import { usualPorts } from './ports.js';
import { startStack } from './stack.js';
import { welcome } from './welcome.js';

/** `npm start`: the whole service as one process tree, until it is told to stop. */
async function main(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const ports = await usualPorts(env);
  const dataDir = path.resolve(env['HOLDPOINT_DATA_DIR'] || '.holdpoint');
  const stack = await startStack({ dataDir, env, ports, log: say, signal });
  for (const line of welcome(stack)) say(line);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  say('Stopping.');
  await stack.stop();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const told = new AbortController();
// `once` would let a second Ctrl-C end this process before its children have been stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => told.abort());
await runMain(() =>
  main(process.env, told.signal).catch((error: unknown) => {
    if (!told.signal.aborted) throw error;
  }),
);
