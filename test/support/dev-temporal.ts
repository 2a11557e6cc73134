import { resolveTemporalCli } from '../../temporal-config/cli.js';
import { startDevServer, type DevServer } from '../../temporal-config/dev-server.js';
import { freePort } from '../../temporal-config/ports.js';

/** A Temporal dev server of its own, in memory. */
export async function startTemporal(): Promise<DevServer> {
  const { path } = await resolveTemporalCli({ log: () => undefined });
  return startDevServer({ cliPath: path, port: await freePort() });
}
