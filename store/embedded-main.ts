import { runMain, sayReady, untilStopRequested } from '../runtime/program.js';
import { startEmbeddedServer } from './embedded-server.js';
import { waitForFolder } from '../runtime/folder-lock.js';
import { migrateToLatest } from './migrate.js';

/**
 * `embedded-main.ts <data folder> <port>`: the embedded store as a process. It migrates the store, reports that it is
 * ready, and ends when it is asked to stop.
 */
async function main(dataDir: string | undefined, port: string | undefined): Promise<void> {
  if (dataDir === undefined || port === undefined) throw new Error('Name data folder and port.');
  const stopRequested = untilStopRequested();
  const server = await waitForFolder(() => startEmbeddedServer({ dataDir, port: Number(port) }));
  await migrateToLatest(server.url);
  sayReady(`The store is ready on ${server.url}`);
  await stopRequested;
  await server.close();
}

await runMain(() => main(...(process.argv.slice(2) as [string?, string?])));
