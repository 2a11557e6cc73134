import { resolveTemporalCli } from '../../temporal-config/cli.js';
import { startDevServer, type DevServer } from '../../temporal-config/dev-server.js';
import { freePort } from '../../temporal-config/ports.js';

/**
 * A Temporal dev server of its own, in memory. It takes further ports itself, which another process may
 * take first: it is then started again.
 */
export async function startTemporal(tries = 3): Promise<DevServer> {
  const { path } = await resolveTemporalCli({ log: () => undefined });
  try {
    return await startDevServer({ cliPath: path, port: await freePort() });
  } catch (error) {
    if (tries === 1) throw error;
    return startTemporal(tries - 1);
  }
}
