import path from 'node:path';
import { StartupError, runMain, sayReady, untilStopRequested } from '../runtime/program.js';
import { lockFolder, waitForFolder } from '../runtime/folder-lock.js';
import { startDevServer } from '../temporal-config/dev-server.js';

/** The JSON in the one argument of this program. */
export interface TemporalProcessSettings {
  readonly cliPath: string;
  readonly port: number;
  readonly uiPort: number;
  /** The folder of the server's database; one server at a time may use it. */
  readonly folder: string;
}

/**
 * Runs the Temporal dev server as a supervised process. The server does not notice the end of its parent, so this
 * process ends it when its own parent is gone.
 */
async function main(settings: TemporalProcessSettings): Promise<void> {
  const { cliPath, port, uiPort, folder } = settings;
  const stopRequested = untilStopRequested();
  const lock = await waitForFolder(() => lockFolder(folder));
  const dbFile = path.join(folder, 'temporal.db');
  const server = await startDevServer({ cliPath, port, uiPort, dbFile });
  sayReady('Temporal is ready.');
  const how = await Promise.race([server.ended, stopRequested]);
  if (how !== undefined) throw new StartupError(`the Temporal dev server is gone: ${how}`);
  await server.stop();
  await lock.release();
}

await runMain(() => main(JSON.parse(process.argv[2] ?? '{}') as TemporalProcessSettings));
