import type { Express } from 'express';
import { startServer } from './server.js';
import type { RunningServer } from './server.js';
import { PortTakenError, StartupError } from '../runtime/startup-error.js';

const LOOPBACK = '127.0.0.1';
const USUAL_PORT = 4000;

type Environment = Readonly<Record<string, string | undefined>>;

/** `HOST`; loopback where it is not set, and always where the keys are made for development. */
export function hostOf(env: Environment, keysAreMade: boolean): string {
  const host = env['HOST'] ?? '';
  return keysAreMade || host === '' ? LOOPBACK : host;
}

/** `PORT`, undefined where it is not set. */
function portOf(env: Environment): number | undefined {
  const text = env['PORT'] ?? '';
  if (text === '') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new StartupError(`PORT is "${text}": it must be a number from 0 to 65535.`);
}

/**
 * Serves the app on `PORT`, or on 4000, or where that is taken on a free port.
 *
 * @throws StartupError where `PORT` is no port, PortTakenError where it is taken
 */
export async function listenAsAsked(
  app: Express,
  host: string,
  env: Environment,
): Promise<RunningServer> {
  const port = portOf(env);
  try {
    return await startServer({ app, host, port: port ?? USUAL_PORT });
  } catch (error) {
    if (port !== undefined || !(error instanceof PortTakenError)) throw error;
    return startServer({ app, host, port: 0 });
  }
}
