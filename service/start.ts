import path from 'node:path';
import { runMain } from '../runtime/program.js';
import { temporalPortFileOf } from './data-folder.js';
import { usualPorts } from './ports.js';
import { developmentPeople, signInLinks } from './sign-in-links.js';
import { startStack } from './stack.js';
import { welcome } from './welcome.js';

/** How the command line is called here: from a checkout by npm, else by its name. */
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run -s holdpoint --' : 'holdpoint';

/** `npm start`: the whole service as one process tree, until it is asked to stop. */
async function main(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const dataDir = path.resolve(env['HOLDPOINT_DATA_DIR'] || '.holdpoint');
  const ports = await usualPorts(env, temporalPortFileOf(dataDir));
  const stack = await startStack({ dataDir, env, ports, log: say, signal, buildsInbox: true });
  const people = stack.keysAreMade ? developmentPeople(stack.keys) : [];
  const links = await signInLinks(stack, people);
  for (const line of welcome(stack, links, COMMAND)) say(line);
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
