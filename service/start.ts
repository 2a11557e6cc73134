import { rm } from 'node:fs/promises';
import { dataFolderOf } from '../cli/local-service.js';
import { commandElsewhere } from '../contracts/constants/command-name.js';
import { runMain, say } from '../runtime/program.js';
import { countSuspensions } from '../store/queries/inbox.js';
import { tellService } from './data-folder.js';
import { usualPorts } from './ports.js';
import { tellSettled, welcome } from './welcome.js';
import { developmentPeople, signInLinks, withStoreAt } from './sign-in-links.js';
import { startStack, type Stack } from './stack.js';

/** Reads the table's figures from the store: links that sign in, and how many questions wait, in all spaces. */
async function fromStore({ databaseUrl, apiUrl, keys, keysAreMade }: Stack) {
  const people = keysAreMade ? developmentPeople(keys) : [];
  return withStoreAt(databaseUrl, async (db) => ({
    links: await signInLinks(db, apiUrl, people),
    open: (await countSuspensions(db, {})).pending,
  }));
}

/** Writes the file by which commands in the same folder find the service. */
async function tell({ folder, apiUrl, databaseUrl, keysAreMade }: Stack, isOwn: boolean) {
  const database = isOwn ? { database_url: databaseUrl } : {};
  await tellService(folder, { url: apiUrl, keys_are_made: keysAreMade, ...database });
}

/** `npm start`: the whole service as one process tree, until it is asked to stop. */
async function main(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const isTerminal = process.stdout.isTTY;
  const dataDir = dataFolderOf(env, process.cwd());
  const stack = await startStack({
    dataDir,
    env,
    ports: usualPorts,
    log: say,
    signal,
    buildsInbox: true,
    isTerminal,
  });
  // The URL of another database may have a password.
  await tell(stack, !env['DATABASE_URL']);
  const about = {
    ...(await fromStore(stack)),
    command: commandElsewhere(import.meta.url, env),
    isTerminal,
  };
  for (const line of welcome(stack, about)) say(line);
  if (env['HOST']) say(`HOST=${env['HOST']} is not used here: all of this stays on loopback.`);
  void tellSettled(stack, say, signal);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  say('Stopping.');
  await rm(stack.folder.serviceFile, { force: true });
  await stack.stop();
}

const stop = new AbortController();
// With `once`, a second Ctrl-C would end this process before its children have been stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop.abort());
await runMain(() =>
  main(process.env, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  }),
);
