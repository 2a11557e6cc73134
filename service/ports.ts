import { readFile, writeFile } from 'node:fs/promises';
import { FolderInUseError, lockFolder, waitForFolder } from '../runtime/folder-lock.js';
import { PortTakenError, StartupError } from '../runtime/program.js';
import { freePort, isPortFree } from '../temporal-config/ports.js';
import type { DataFolder } from './data-folder.js';

/** The ports of a stack, chosen once, so that a restarted process keeps its address. */
export interface Ports {
  readonly api: number;
  readonly temporal: number;
  readonly temporalUi: number;
  readonly store: number;
  /** Where API and worker show their metrics; absent: as the environment says. */
  readonly apiMetrics?: number | undefined;
  readonly workerMetrics?: number | undefined;
}

const HOST = '127.0.0.1';
const USUAL = { api: 4000, temporal: 7233, apiMetrics: 9464, workerMetrics: 9465 } as const;
/** How far the pages of Temporal's development server are above its port, as in `temporal server start-dev`. */
const UI_ABOVE = 1_000;
const HIGHEST = 65_535;

/** The ports by which other programs know a service, kept for the next start of its data folder. */
type KeptPorts = Partial<Pick<Ports, 'api' | 'temporal'>>;

export async function freePorts(): Promise<Ports> {
  return {
    api: await freePort(HOST),
    temporal: await freePort(HOST),
    temporalUi: await freePort(HOST),
    store: await freePort(HOST),
  };
}

/**
 * Chooses the ports of `npm start`, and keeps them: the set ones, else those of the data folder's last start, the
 * usual ones or free ones. Temporal's port never changes by itself, because workers of other programs have its
 * address.
 *
 * @throws StartupError if a port that is set is none or is taken, or the port that Temporal had is taken
 */
export async function usualPorts(
  { portsFile, temporalFolder }: Pick<DataFolder, 'portsFile' | 'temporalFolder'>,
  env: NodeJS.ProcessEnv,
): Promise<Ports> {
  const kept = await keptPorts(portsFile);
  const api = (await given(env, 'PORT')) ?? (await usual(kept.api ?? USUAL.api));
  // No development server is started.
  const isElsewhere = Boolean(env['TEMPORAL_ADDRESS']);
  const temporal = isElsewhere
    ? await freePort(HOST)
    : await temporalPort(env, kept.temporal, temporalFolder);
  const keeps: KeptPorts = isElsewhere ? { ...kept, api } : { api, temporal };
  await writeFile(portsFile, `${JSON.stringify(keeps)}\n`);
  return {
    api,
    temporal,
    temporalUi: await usual(temporal + UI_ABOVE),
    store: await freePort(HOST),
    apiMetrics: env['HOLDPOINT_API_METRICS'] ? undefined : await usual(USUAL.apiMetrics),
    workerMetrics: env['HOLDPOINT_WORKER_METRICS'] ? undefined : await usual(USUAL.workerMetrics),
  };
}

async function keptPorts(file: string): Promise<KeptPorts> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const { api, temporal } = JSON.parse(text) as Partial<Record<keyof KeptPorts, unknown>>;
    return { ...(isPort(api) && { api }), ...(isPort(temporal) && { temporal }) };
  } catch {
    return {};
  }
}

/** Ports below 1024 belong to the system, and none of them was chosen here. */
function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 1_023 && Number(value) <= HIGHEST;
}

async function temporalPort(
  env: NodeJS.ProcessEnv,
  kept: number | undefined,
  temporalFolder: string,
): Promise<number> {
  const wanted = await given(env, 'HOLDPOINT_TEMPORAL_PORT');
  if (wanted !== undefined) return wanted;
  if (kept === undefined) return usual(USUAL.temporal);
  if ((await isPortFree(kept, HOST)) || (await isLeftSoon(kept, temporalFolder))) return kept;
  throw new StartupError(
    `Port ${kept} on ${HOST} is already in use, and programs know Temporal of this data folder by it: ` +
      'stop what uses it, or set another HOLDPOINT_TEMPORAL_PORT, which is kept from then on.',
  );
}

/** Waits for the server of a killed service, which ends by itself and holds its folder until then. */
async function isLeftSoon(port: number, temporalFolder: string): Promise<boolean> {
  try {
    const lock = await waitForFolder(() => lockFolder(temporalFolder));
    await lock.release();
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
  }
  return isPortFree(port, HOST);
}

async function usual(port: number): Promise<number> {
  return port <= HIGHEST && (await isPortFree(port, HOST)) ? port : freePort(HOST);
}

/** Returns the port that a variable sets; undefined if it is not set. */
async function given(env: NodeJS.ProcessEnv, name: string): Promise<number | undefined> {
  const text = env[name] ?? '';
  if (text === '') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port >= 1 && port <= HIGHEST)) {
    throw new StartupError(`${name} is "${text}": it must be a number from 1 to ${HIGHEST}.`);
  }
  if (!(await isPortFree(port, HOST))) throw new PortTakenError(HOST, port, name);
  return port;
}
