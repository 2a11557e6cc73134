import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import type { Store } from '../../store/schema.js';
import { callTemporal } from './calls/call.js';
import type { Clock } from './calls/deadline.js';
import type { WorkerSilence } from './calls/failures.js';
import type { RunQuery } from './reads/from-store.js';

const DEADLINE_MS = 1_000;
/** A worker's poll lasts up to a minute; Temporal lists pollers for five. */
const FRESH_MS = 75_000;

export interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

interface Poller {
  readonly lastAccessTime?: { readonly seconds?: unknown; readonly nanos?: number | null } | null;
}

function lastPoll({ lastAccessTime: at }: Poller): number {
  return Number(at?.seconds ?? 0) * 1_000 + (at?.nanos ?? 0) / 1_000_000;
}

/** Asks the database for nothing; fails where it does not answer. */
export async function ping(db: Store): Promise<void> {
  await sql`select 1`.execute(db);
}

/**
 * Whether Temporal, a worker and the store are there, each asked for at most 1 s. A worker is there
 * that has polled since the latest call nobody took, and within the last 75 s; so one that died while
 * nobody asked for anything is missed only then.
 */
export function createReadiness(
  client: Pick<Client, 'connection' | 'options' | 'withDeadline' | 'withAbortSignal'>,
  store: RunQuery,
  clock: Clock,
  workerSilence: Pick<WorkerSilence, 'since'>,
) {
  const service = client.connection.workflowService;

  async function check(probe: () => Promise<Check>): Promise<Check> {
    try {
      return await callTemporal(client, clock, { ms: DEADLINE_MS, rpc: probe });
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown failure';
      return { ok: false, detail: `failed, or not answered within ${DEADLINE_MS} ms (${name})` };
    }
  }

  async function temporal(): Promise<Check> {
    const { serverVersion } = await service.getSystemInfo({});
    return { ok: true, detail: `Temporal ${serverVersion}` };
  }

  async function worker(): Promise<Check> {
    const { pollers } = await service.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: TASK_QUEUE },
    });
    const since = Math.max(clock.now() - FRESH_MS, workerSilence.since);
    const polling = pollers.filter((poller) => lastPoll(poller) > since).length;
    return { ok: polling > 0, detail: `${polling} polling "${TASK_QUEUE}"` };
  }

  return {
    /** One line per dependency. */
    async readiness(): Promise<Readonly<Record<'temporal' | 'worker' | 'store', Check>>> {
      const [temporalCheck, workerCheck, storeCheck] = await Promise.all([
        check(temporal),
        check(worker),
        check(async () => {
          await store(ping);
          return { ok: true, detail: 'the store answers' };
        }),
      ]);
      return { temporal: temporalCheck, worker: workerCheck, store: storeCheck };
    },
  };
}
