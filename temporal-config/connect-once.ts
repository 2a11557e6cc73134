import { Connection } from '@temporalio/client';
import { StartupError, oneLine } from '../runtime/program.js';
import type { TemporalConnectionOptions } from './connection.js';
import { reasonOf } from './errors.js';

/**
 * Connects a program that does one thing and ends to Temporal.
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

/**
 * Waits for the work of such a program.
 *
 * @param what - the name of the work for the error, for example "The look"
 * @throws StartupError with the reason if the work fails
 */
export async function saidIfCut<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StartupError(`${what} was cut off: ${oneLine(reasonOf(error))}`, { cause: error });
  }
}
