import { startEmbeddedServer } from './embedded-server.js';
import { migrateToLatest } from './migrate.js';
import { waitForFolder } from './wait-for-folder.js';

/**
 * `embedded-main.ts <data folder> <port>`: the embedded store as a process of its own, migrated before
 * it says `ready` to its parent. Ends on SIGTERM and SIGINT, and when its parent is gone.
 */
const [dataDir, port] = process.argv.slice(2);
if (dataDir === undefined || port === undefined) throw new Error('Name the data folder and port.');

const told = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  process.once('disconnect', () => resolve());
});

try {
  const server = await waitForFolder(() => startEmbeddedServer({ dataDir, port: Number(port) }));
  await migrateToLatest(server.url);
  if (process.connected) process.send?.('ready');
  await told;
  await server.close();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
