import type { NativeConnection, Worker } from '@temporalio/worker';
import type { Page } from '../../runtime/metrics/page-server.js';
import { shared } from '../../runtime/metrics/registry.js';
import type { StoreState } from '../../store/migrate.js';
import {
  describeAttributes,
  type AttributesFound,
} from '../../temporal-config/missing-attributes.js';

/** Each part is checked at most once in this time, in milliseconds. */
const KEPT_MS = 2_000;
const DEADLINE_MS = 1_000;

export interface Running {
  readonly workers: readonly Pick<Worker, 'getState'>[];
  readonly connection: Pick<NativeConnection, 'withDeadline' | 'workflowService'>;
  /** Returns the search attributes that the namespace lacks now. */
  readonly searchAttributes: () => Promise<AttributesFound>;
}

export interface HealthOptions {
  /** Undefined until Temporal has been reached. */
  readonly running: () => Running | undefined;
  readonly storeState: () => Promise<StoreState>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long Temporal and the store may take to answer, in milliseconds; 1,000 by default. */
  readonly deadlineMs?: number;
}

interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

type Checks = Readonly<Record<'worker' | 'temporal' | 'store', Check>>;

export async function healthPage(): Promise<Page> {
  return jsonPage(200, { status: 'ok' });
}

/**
 * The page `/ready`, in the API's form: whether this process polls all of its task queues, and whether Temporal and
 * the migrated store answer; 503 if not.
 */
export function readyPage(options: HealthOptions): () => Promise<Page> {
  const { running, now = Date.now, deadlineMs = DEADLINE_MS } = options;
  const outside = shared(
    async () => ({
      temporal: await checked(deadlineMs, () => temporalCheck(running(), now() + deadlineMs)),
      store: await checked(deadlineMs, async () => storeCheck(await options.storeState())),
    }),
    KEPT_MS,
    now,
  );
  return async () => {
    const dependencies: Checks = { worker: workerCheck(running()), ...(await outside()) };
    const isReady = Object.values(dependencies).every(({ ok }) => ok);
    const status = isReady ? 'ready' : 'not_ready';
    return jsonPage(isReady ? 200 : 503, { status, dependencies });
  };
}

function jsonPage(status: number, body: object): Page {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

function workerCheck(running: Running | undefined): Check {
  const states = running?.workers.map((worker) => worker.getState()) ?? [];
  const polling = states.filter((state) => state === 'RUNNING').length;
  const ok = polling > 0 && polling === states.length;
  return { ok, detail: `polls ${polling} of ${states.length} task queues` };
}

async function temporalCheck(running: Running | undefined, deadline: number): Promise<Check> {
  if (running === undefined) return { ok: false, detail: 'not reached since the start' };
  const { connection, searchAttributes } = running;
  return connection.withDeadline(deadline, async () => {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    const found = await searchAttributes();
    const said = describeAttributes(found);
    const detail = `Temporal ${serverVersion}${said === undefined ? '' : `; ${said}`}`;
    return { ok: found.missing.length === 0, detail };
  });
}

function storeCheck({ missing: [first] }: StoreState): Check {
  if (first === undefined) return { ok: true, detail: 'the store answers' };
  return { ok: false, detail: `not migrated: ${first} is missing` };
}

/** Makes a check. If it fails or takes too long, the result has only the kind of the failure. */
async function checked(ms: number, check: () => Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${ms} ms` }), ms);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown failure';
    return { ok: false, detail: `failed (${name})` };
  } finally {
    clearTimeout(timer);
  }
}
