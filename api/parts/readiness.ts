import type { Client, Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUE } from '../../contracts/constants/names.js';
import { storeState } from '../../store/migrate.js';
import {
  describeAttributes,
  watchSearchAttributes,
} from '../../temporal-config/missing-attributes.js';
import { FRESH_POLL_MS, lastPoll, versionOfPoller } from '../../temporal-config/pollers.js';
import { callTemporal } from './calls/call.js';
import { limitOf, type Clock } from './calls/deadline.js';
import type { WorkerSilence } from './calls/failures.js';
import type { RunQuery } from './reads/from-store.js';

const DEADLINE_MS = 1_000;
/**
 * How long a result is given again, from the start of its checks; one that found something missing counts for less
 * time.
 */
const KEPT_MS = 2_000;
const KEPT_FAILURE_MS = 250;

export interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

/** One line per dependency, and one for this process. */
export type Readiness = Readonly<Record<'api' | 'temporal' | 'worker' | 'store', Check>>;

interface Deps {
  readonly client: Pick<Client, 'connection' | 'options' | 'withDeadline' | 'withAbortSignal'>;
  readonly store: RunQuery;
  readonly clock: Clock;
  readonly workerSilence: Pick<WorkerSilence, 'since'>;
  /** Aborted once this process is about to stop. */
  readonly stopping: AbortSignal;
}

const UNKNOWN = { missing: [], unchecked: Object.keys(SEARCH_ATTRIBUTES) };
const STOPPING: Check = { ok: false, detail: 'takes no new requests in a moment' };

const ON_THIS_MACHINE = /^(?:127(?:\.\d+){3}|localhost|\[::1\]):\d+$/;

/**
 * Returns the address of Temporal, which anybody may read: only a loopback one, as of the development server of `npm
 * start`.
 */
function ownAddressOf({ connection }: Pick<Client, 'connection'>): string {
  const { options } = connection as Partial<Pick<Connection, 'options'>>;
  const address = options?.address ?? '';
  return ON_THIS_MACHINE.test(address) ? ` on ${address} (gRPC)` : '';
}

/**
 * Checks Temporal with its search attributes, a worker and the store, each for at most 1 s, and once in 2 s however
 * many ask (four times a second while something is missing). A worker counts that has polled within 75 s, since the
 * latest call nobody took, and has the current version; a store without its migrations counts as missing. A process
 * that is about to stop says so at once.
 */
export function createReadiness({ client, store, clock, workerSilence, stopping }: Deps) {
  const { connection, options } = client;
  const searchAttributes = watchSearchAttributes(connection, options.namespace, UNKNOWN, () =>
    clock.now(),
  );

  async function check(probe: () => Promise<Check>): Promise<Check> {
    const call = { ms: limitOf(clock, 'servers', DEADLINE_MS), rpc: probe };
    try {
      return await callTemporal(client, clock, call);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown failure';
      return { ok: false, detail: `failed, or not answered within ${call.ms} ms (${name})` };
    }
  }

  async function temporal(): Promise<Check> {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    const found = await searchAttributes();
    const ok = found.missing.length === 0;
    const said = ok ? '' : `; ${describeAttributes(found) ?? ''}`;
    return { ok, detail: `Temporal ${serverVersion}${ownAddressOf(client)}${said}` };
  }

  const worker = () =>
    workerCheck(client, Math.max(clock.now() - FRESH_POLL_MS, workerSilence.since));

  async function storeCheck(): Promise<Check> {
    const { missing, refused_rows } = await store(storeState);
    const [first] = missing;
    if (first !== undefined) return { ok: false, detail: `not migrated: ${first} is missing` };
    const aside = refused_rows === 0 ? '' : `; it has refused ${refused_rows} rows for good`;
    return { ok: true, detail: `the store answers${aside}` };
  }

  async function checkAll(): Promise<Dependencies> {
    const checks = [check(temporal), check(worker), check(storeCheck)] as const;
    const [temporalCheck, workerCheck, stored] = await Promise.all(checks);
    return { temporal: temporalCheck, worker: workerCheck, store: stored };
  }

  const shared = keptFor(clock, checkAll);
  return async (): Promise<Readiness> => {
    const api = stopping.aborted ? STOPPING : { ok: true, detail: 'answers' };
    return { api, ...(await shared()) };
  };
}

/** Checks that a worker which gets tasks has polled after this time. */
async function workerCheck({ connection, options }: Deps['client'], since: number): Promise<Check> {
  const { pollers, versioningInfo } = await connection.workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: TASK_QUEUE },
  });
  const fresh = pollers.filter((poller) => lastPoll(poller) > since);
  const { currentDeploymentVersion: current, rampingDeploymentVersion: ramping } =
    versioningInfo ?? {};
  const served = [current?.buildId ?? '', ...(ramping?.buildId ? [ramping.buildId] : [])];
  const polling = fresh.filter((poller) =>
    served.includes(versionOfPoller(poller)?.buildId ?? ''),
  ).length;
  if (polling > 0 || fresh.length === 0) {
    return { ok: polling > 0, detail: `${polling} polling "${TASK_QUEUE}"` };
  }
  const others = `${fresh.length} polling "${TASK_QUEUE}"`;
  return { ok: false, detail: `${others}, none of the current version: holdpoint activate` };
}

type Dependencies = Omit<Readiness, 'api'>;

/** Lets all who ask within a short time share one round of checks. */
function keptFor(
  clock: Pick<Clock, 'now'>,
  checkAll: () => Promise<Dependencies>,
): () => Promise<Dependencies> {
  let latest: Promise<Dependencies> | undefined;
  let until = -Infinity;
  return async () => {
    if (latest !== undefined && clock.now() < until) return latest;
    const began = clock.now();
    until = began + KEPT_MS;
    latest = checkAll();
    const found = await latest;
    if (!Object.values(found).every(({ ok }) => ok)) until = began + KEPT_FAILURE_MS;
    return found;
  };
}
