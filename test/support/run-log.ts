import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** Names the folder in which `run-tests.ts` keeps the logs of a run. */
export const RUN_LOGS = 'HOLDPOINT_RUN_LOGS';

/** A destination for pino, or for anybody who writes whole lines. */
export interface RunLog {
  readonly write: (text: string) => void;
}

/**
 * Where tests send a log which they would otherwise silence, so that it is searched for secrets when the
 * run is over. Outside such a run, as for a single file, it is dropped.
 *
 * @param source - whose log it is; becomes a file's name
 */
export function runLog(source: string): RunLog {
  const folder = process.env[RUN_LOGS];
  if (folder === undefined) return { write: () => undefined };
  const file = path.join(folder, `${source}.log`);
  return { write: (text) => appendFileSync(file, text) };
}
