import { RUN_SERVER, startPostgres, type PostgresServer } from '../support/postgres.js';

/** Says which stores tests get: `postgres` or `embedded`. */
export const STORE = 'HOLDPOINT_TEST_STORE';

/** What the stores of a run are. */
export interface Stores {
  /** For the processes of tests. */
  readonly env: NodeJS.ProcessEnv;
  /** Which they are, and why. */
  readonly said: string;
  readonly stop: () => Promise<void>;
}

/**
 * PostgreSQL where one can be started, for it takes less than half of the CPU of embedded stores; else those. `DATABASE_URL` names a
 * server that is there.
 *
 * @param start - starts a PostgreSQL, or rejects with what is missing
 * @throws Error if `HOLDPOINT_TEST_STORE` asks for what there is not
 */
export async function startStores(
  env: NodeJS.ProcessEnv,
  start: () => Promise<Pick<PostgresServer, 'url' | 'stop'>> = startPostgres,
): Promise<Stores> {
  const { [STORE]: wanted, DATABASE_URL: given = '' } = env;
  if (wanted !== undefined && wanted !== 'postgres' && wanted !== 'embedded') {
    throw new Error(`${STORE} is "${wanted}"; it can be: postgres, embedded.`);
  }
  if (wanted === 'embedded') return embedded(`as ${STORE} says`);
  if (given !== '') return { env: {}, said: 'PostgreSQL, of DATABASE_URL', stop: nothing };
  try {
    const { url, stop } = await start();
    return { env: { [RUN_SERVER]: url }, said: 'PostgreSQL, started for this run', stop };
  } catch (error) {
    if (wanted === 'postgres') throw error;
    return embedded(error instanceof Error ? error.message : String(error));
  }
}

function embedded(why: string): Stores {
  return { env: { [RUN_SERVER]: '' }, said: `embedded: ${why}`, stop: nothing };
}

const nothing = (): Promise<void> => Promise.resolve();
