import { Connection } from '@temporalio/client';
import { StartupError, oneLine } from '../runtime/program.js';
import type { TemporalConnectionOptions } from './connection.js';
import { reasonOf } from './errors.js';

/**
 * Connects a program to Temporal that does one thing and ends.
 *
 * @throws StartupError if Temporal does not answer
 */
export async function connectOnce(options: TemporalConnectionOptions): Promise<Connection> {
  try {
    return await Connection.connect(options);
  } catch (error) {
    throw new StartupError(`Temporal at ${options.address} is away: ${oneLine(reasonOf(error))}`);
  }
}
