import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import type { Clock } from './calls/deadline.js';
import { inScope, withinDeadline, type Scope } from './calls/deadline.js';
import type { StoreReads } from './reads/store-reads.js';
import type { Gateway } from './types.js';
import type { WorkerSilence } from './calls/failures.js';

const DEADLINE_MS = 1_000;
/** A worker's poll lasts up to a minute; Temporal lists pollers for five. */
const FRESH_MS = 75_000;

type Check = Awaited<ReturnType<Gateway['readiness']>>['store'];

interface Poller {
  readonly lastAccessTime?: { readonly seconds?: unknown; readonly nanos?: number | null } | null;
}

function lastPoll({ lastAccessTime: at }: Poller): number {
  return Number(at?.seconds ?? 0) * 1_000 + (at?.nanos ?? 0) / 1_000_000;
}

/**
 * Whether Temporal, a worker and the store are there, each asked for at most 1 s. A worker is there
 * that has polled since the latest call nobody took, and within the last 75 s; so one that died while
 * nobody asked for anything is missed only then.
 */
export function createReadiness(
  client: Pick<Client, 'connection' | 'options' | 'withDeadline' | 'withAbortSignal'>,
  store: Pick<StoreReads, 'ping'>,
  clock: Clock,
  workerSilence: Pick<WorkerSilence, 'since'>,
): Pick<Gateway, 'readiness'> {
  const service = client.connection.workflowService;

  async function check(probe: (scope: Scope) => Promise<Check>): Promise<Check> {
    try {
      return await withinDeadline(clock, DEADLINE_MS, (scope) =>
        inScope(client, scope, () => probe(scope)),
      );
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
    async readiness() {
      const [temporalCheck, workerCheck, storeCheck] = await Promise.all([
        check(temporal),
        check(worker),
        check(async () => {
          await store.ping();
          return { ok: true, detail: 'the store answers' };
        }),
      ]);
      return { temporal: temporalCheck, worker: workerCheck, store: storeCheck };
    },
  };
}
