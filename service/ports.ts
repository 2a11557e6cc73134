import { readFile, writeFile } from 'node:fs/promises';
import { PortTakenError, StartupError } from '../runtime/program.js';
import { freePort, isPortFree } from '../temporal-config/ports.js';

/** Chosen once, so that a process that is started again is found where it was. */
export interface Ports {
  readonly api: number;
  readonly temporal: number;
  readonly temporalUi: number;
  readonly store: number;
}

const HOST = '127.0.0.1';
const USUAL = { api: 4000, temporal: 7233, temporalUi: 8233 } as const;

/** Free ports for everything. */
export async function freePorts(): Promise<Ports> {
  const [api, temporal, temporalUi, store] = [
    await freePort(HOST),
    await freePort(HOST),
    await freePort(HOST),
    await freePort(HOST),
  ];
  return { api, temporal, temporalUi, store };
}

/**
 * The ports people expect if they are free, free ones otherwise; `PORT` is taken as it is. Temporal stays where it was before,
 * if that is free: workers of other programs have its address.
 *
 * @param temporalPortFile - what `keepTemporalPort` has written
 * @throws StartupError where `PORT` is no port or is taken
 */
export async function usualPorts(
  env: NodeJS.ProcessEnv,
  temporalPortFile?: string,
): Promise<Ports> {
  const wanted = env['PORT'] ?? '';
  return {
    api: wanted === '' ? await usual(USUAL.api) : await exactly(wanted),
    temporal: await usual((await keptTemporalPort(temporalPortFile)) ?? USUAL.temporal),
    temporalUi: await usual(USUAL.temporalUi),
    store: await freePort(HOST),
  };
}

async function keptTemporalPort(file: string | undefined): Promise<number | undefined> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  const port = /^\d{4,5}\n$/.test(text) ? Number(text) : 0;
  return port > 1_023 && port <= 65_535 ? port : undefined;
}

/** Remembers where Temporal is, for the next start with the same data folder. */
export async function keepTemporalPort(file: string, { temporal }: Ports): Promise<void> {
  await writeFile(file, `${temporal}\n`);
}

async function usual(port: number): Promise<number> {
  return (await isPortFree(port, HOST)) ? port : freePort(HOST);
}

async function exactly(text: string): Promise<number> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port >= 1 && port <= 65_535)) {
    throw new StartupError(`PORT is "${text}": it must be a number from 1 to 65535.`);
  }
  if (!(await isPortFree(port, HOST))) throw new PortTakenError(HOST, port);
  return port;
}
