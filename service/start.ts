import path from 'node:path';
import { runMain } from '../runtime/program.js';
import { usualPorts } from './ports.js';
import { startStack } from './stack.js';
import type { Stack } from './stack.js';

const QUESTION = '{"question": "Deploy on a Friday?", "response_type": "confirm"}';

/** What `npm start` says once: where everything is, keys that were made, a first call to try. */
export function welcome(stack: Pick<Stack, 'apiUrl' | 'temporalUiUrl' | 'keys' | 'keysAreMade'>) {
  const { apiUrl, temporalUiUrl, keys, keysAreMade } = stack;
  const lines = [`Holdpoint API ready on ${apiUrl}`];
  if (temporalUiUrl !== undefined) lines.push(`Temporal UI on ${temporalUiUrl}`);
  if (keysAreMade) {
    lines.push('No HOLDPOINT_API_KEYS set; keys for development, kept in the data folder:');
    for (const { key, roles } of keys) lines.push(`  ${roles.join(', ').padEnd(9)} ${key}`);
  }
  const agent = keys.find(({ roles }) => roles.includes('agent') || roles.includes('admin'));
  const shown = keysAreMade && agent !== undefined ? agent.key : '<a key with the role agent>';
  return [
    ...lines,
    'Ask a question; it appears here, with the command that answers it:',
    `  curl -s ${apiUrl}/v1/suspensions -H 'X-API-Key: ${shown}' -H 'Content-Type: application/json' -d '${QUESTION}'`,
    'Ctrl-C stops everything.',
  ];
}

/** `npm start`: the whole service as one process tree, until it is asked to stop. */
async function main(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const ports = await usualPorts(env);
  const dataDir = path.resolve(env['HOLDPOINT_DATA_DIR'] || '.holdpoint');
  const stack = await startStack({ dataDir, env, ports, log: say, signal });
  for (const line of welcome(stack)) say(line);
  if (env['HOST']) say(`HOST=${env['HOST']} is not used here: all of this stays on loopback.`);
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

const stop = new AbortController();
// `once` would let a second Ctrl-C end this process before its children have been stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop.abort());
await runMain(() =>
  main(process.env, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  }),
);
