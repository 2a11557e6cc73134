import { startPostgres } from '../../test/support/postgres.js';
import type { Grounds, StartGrounds } from '../bench-server.js';
import { resolveServerPrograms } from './server-programs.js';
import { startTemporalServer } from './temporal-server.js';

/**
 * Finds what is needed, and gives the way to start a Temporal server as in production and, for it and for Holdpoint,
 * a PostgreSQL server, each time with databases of their own.
 *
 * @throws Error that names the ways to get it, where PostgreSQL or Temporal's server is missing
 */
export async function findPostgresGrounds(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<StartGrounds> {
  const programs = await resolveServerPrograms({ env, log });
  await (await startPostgres()).stop();
  return async (folder): Promise<Grounds> => {
    const postgres = await startPostgres();
    try {
      const server = await startTemporalServer(programs, postgres.url, folder);
      const stop = async (): Promise<void> => {
        await server.stop();
        await postgres.stop();
      };
      return { server, store: { url: postgres.url, pid: postgres.pid() }, stop };
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  };
}
