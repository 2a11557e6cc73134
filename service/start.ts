import path from 'node:path';
import { StartupError } from '../api/startup-error.js';
import { TemporalConfigError } from '../temporal-config/errors.js';
import { usualPorts } from './ports.js';
import { startStack } from './stack.js';
import { ProcessStartError } from './supervised.js';
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

/** What is wrong with the settings or the surroundings needs no stack; a defect does. */
function explain(error: unknown): string {
  const kinds = [StartupError, TemporalConfigError, ProcessStartError];
  if (kinds.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const told = new AbortController();
// `once` would let a second Ctrl-C end this process before its children have been stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => told.abort());
try {
  await main(process.env, told.signal);
  process.exit(0);
} catch (error) {
  if (told.signal.aborted) process.exit(0);
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
