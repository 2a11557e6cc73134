import { ServiceError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Clock } from '../../../api/gateway/calls/deadline.js';
import { createTemporal } from '../../../api/gateway/calls/temporal.js';
import { Consistency } from '../../../api/gateway/reads/consistency.js';
import type { Position } from '../../../api/gateway/reads/consistency.js';
import { createFromStore } from '../../../api/gateway/reads/from-store.js';
import type { GatewayLog, RunQuery } from '../../../api/gateway/reads/from-store.js';
import { WriteMemory } from '../../../api/gateway/reads/write-memory.js';
import type { SpaceMemory } from '../../../api/gateway/reads/write-memory.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { feedEnd } from '../../../store/feed/end.js';
import { writeRows } from '../../../store/journal-writer.js';
import * as agents from '../../../store/queries/agent.js';
import * as approvals from '../../../store/queries/approval.js';
import * as coordinators from '../../../store/queries/coordinator.js';
import * as creations from '../../../store/queries/creation.js';
import * as approvalErasures from '../../../store/queries/erase-approvals.js';
import * as erasures from '../../../store/queries/erasure.js';
import * as eventLogs from '../../../store/queries/event-log.js';
import * as graphs from '../../../store/queries/graph.js';
import * as blocks from '../../../store/queries/blocks.js';
import * as inboxes from '../../../store/queries/inbox.js';
import * as intents from '../../../store/queries/intent.js';
import * as plans from '../../../store/queries/plan.js';
import * as portfolios from '../../../store/queries/portfolio.js';
import * as quarantine from '../../../store/queries/quarantine.js';
import * as subscriptions from '../../../store/queries/subscription.js';
import * as suspensions from '../../../store/queries/suspension.js';
import * as tombstones from '../../../store/queries/tombstone.js';
import * as unsettled from '../../../store/queries/unsettled.js';
import { storeState } from '../../../store/migration-state.js';
import type { Store } from '../../../store/schema.js';
import { refusalOf } from '../../../api/errors.js';
import type { Intent } from '../../../contracts/intent.js';
import type { Refusal } from '../../../contracts/problem.js';
import type { SettledRecord, SuspensionRecord } from '../../../contracts/suspension.js';
import { decisionOf } from '../../../domain/suspension/decision.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';

export const INTENT_ID = '11111111-1111-4111-8111-111111111111';
export const OTHER_INTENT_ID = '22222222-2222-4222-8222-222222222222';
export const SUSPENSION_ID = '33333333-3333-4333-8333-333333333333';
export const OTHER_SUSPENSION_ID = '44444444-4444-4444-8444-444444444444';
export const NOW = Date.parse('2026-01-01T00:00:00.000Z');

/** Lets everything run that waits for nothing but the event loop. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  private time = NOW;
  private readonly sleepers = new Set<Sleeper>();

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const sleeper: Sleeper = { at: this.time + ms, wake: resolve };
      this.sleepers.add(sleeper);
      const abort = (): void => {
        this.sleepers.delete(sleeper);
        reject(new Error('sleep aborted'));
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Moves on by `ms`, waking each sleeper at its instant. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await idle();
      const [next] = [...this.sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      this.sleepers.delete(next);
      next.wake();
    }
    this.time = end;
  }
}

export interface FakeCall {
  readonly workflowId: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly updateId?: string;
  /** The signal that ends the RPC. */
  readonly signal: AbortSignal;
}

type Handler = (call: FakeCall) => unknown;

interface FakeHandlers {
  readonly update?: Handler;
  readonly query?: Handler;
  readonly signal?: Handler;
  readonly start?: Handler;
  readonly result?: Handler;
  readonly describe?: Handler;
}

interface Definition {
  readonly name: string;
}
interface UpdateOptions {
  readonly args?: readonly unknown[];
  readonly updateId?: string;
}

/** A Temporal client whose calls go to the given functions, and are counted. */
export function fakeClient(handlers: FakeHandlers): { client: Client; calls: FakeCall[] } {
  const calls: FakeCall[] = [];
  let current = new AbortController().signal;
  const run = async (handler: Handler | undefined, call: Omit<FakeCall, 'signal'>) => {
    const made = { ...call, signal: current };
    calls.push(made);
    if (!handler) throw new Error(`unexpected call ${call.name}`);
    return handler(made);
  };
  const getHandle = (workflowId: string) => ({
    executeUpdate: ({ name }: Definition, { args = [], updateId = '' }: UpdateOptions) =>
      run(handlers.update, { workflowId, name, args, updateId }),
    query: ({ name }: Definition) => run(handlers.query, { workflowId, name, args: [] }),
    signal: ({ name }: Definition, ...args: unknown[]) =>
      run(handlers.signal, { workflowId, name, args }),
    describe: () => run(handlers.describe, { workflowId, name: 'describe', args: [] }),
  });
  const start = (name: string, options: { workflowId: string; args: unknown[] }) =>
    run(handlers.start, { workflowId: options.workflowId, name, args: [options] });
  const client = {
    connection: { workflowService: {} },
    workflow: {
      getHandle,
      start,
      result: (workflowId: string) =>
        run(handlers.result, { workflowId, name: 'result', args: [] }),
    },
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    withAbortSignal: (signal: AbortSignal, call: () => unknown) => {
      current = signal;
      return call();
    },
  };
  return { client: client as unknown as Client, calls };
}

/** An RPC that ends only with its signal. */
export function hanging({ signal }: Pick<FakeCall, 'signal'>): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(rpcError('CANCELLED')));
  });
}

/** Status codes of gRPC. */
const STATUS = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNAVAILABLE: 14,
};

/** What the client throws where the server answers with a gRPC status. */
export function rpcError(code: keyof typeof STATUS): ServiceError {
  const cause = Object.assign(new Error(code), {
    code: STATUS[code],
    details: code,
    metadata: {},
  });
  return new ServiceError('call failed', { cause });
}

/** What the client throws where a validator refuses. */
export function updateRefused(refusal: Refusal): WorkflowUpdateFailedError {
  const cause = ApplicationFailure.create({
    type: refusal.code,
    message: refusal.detail,
    nonRetryable: true,
    details: [refusal],
  });
  return new WorkflowUpdateFailedError('Workflow Update failed', cause);
}

const QUERIES = {
  ...agents,
  ...approvals,
  ...coordinators,
  ...creations,
  ...approvalErasures,
  ...erasures,
  ...eventLogs,
  ...graphs,
  ...blocks,
  ...inboxes,
  ...intents,
  ...plans,
  ...portfolios,
  ...quarantine,
  ...subscriptions,
  ...suspensions,
  ...tombstones,
  ...unsettled,
  storeState,
  feedEnd,
  writeRows,
};
type Queries = typeof QUERIES;

/** The name under which a query is exported; some are made by functions and have none of their own. */
const NAMES = new Map<unknown, string>(
  Object.entries(QUERIES).map(([name, query]) => [query, name] as const),
);

/** Stand-ins for queries of the store, by their names and without the database. */
export type FakeQueries = {
  readonly [K in keyof Queries]?: Queries[K] extends (db: Store, ...args: infer A) => infer R
    ? (...args: A) => R
    : never;
};

const NO_ROWS = { rows: [], more: false } as const;

const KNOWS_NOTHING: FakeQueries = {
  storeState: async () => ({ missing: [], refused_rows: 0 }),
  findCreation: async () => undefined,
  findErasure: async () => undefined,
  findSuspensionErasure: async () => undefined,
  findApproval: async () => undefined,
  isApprovalErased: async () => false,
  approvalsOf: async () => [],
  approvalOfQuestion: async () => undefined,
  questionsOfApprovals: async () => [],
  isRemoved: async () => false,
  findIntent: async () => undefined,
  listIntents: async () => ({ ...NO_ROWS, whole: false }),
  findEvents: async () => NO_ROWS,
  listEvents: async () => NO_ROWS,
  eventsInOrder: async () => [],
  logEnd: async () => undefined,
  lastSequences: sequences(() => 0),
  feedEnd: async () => 0,
  idsNotInState: async () => [],
  isMember: async () => false,
  refusedRows: async () => [],
  findPortfolio: async () => undefined,
  findSuspension: async () => undefined,
  findSettled: async () => undefined,
  isSettledHere: async () => false,
  isQuestionId: async () => false,
  findTasks: async () => [],
  findPlans: async () => [],
  countSuspensions: async () => ({ pending: 0, responded: 0, expired: 0, cancelled: 0 }),
  findAnswer: async () => undefined,
  findRequest: async () => undefined,
  writeRows: async () => [],
};

/** A store that knows nothing, but for the given queries. */
export function fakeStore(queries: FakeQueries = {}): RunQuery {
  const known: Readonly<Record<string, unknown>> = { ...KNOWS_NOTHING, ...queries };
  return async <A extends readonly unknown[], T>(
    query: (db: Store, ...args: A) => Promise<T>,
    ...args: A
  ) => {
    const name = NAMES.get(query) ?? 'of another module';
    const fake = known[name];
    if (fake === undefined) throw new Error(`unexpected query ${name}`);
    return (fake as (...all: A) => Promise<T>)(...args);
  };
}

/** The query for how far the store has come, with an answer for each id. */
export function sequences(
  stored: (id: string) => number,
): NonNullable<FakeQueries['lastSequences']> {
  return async (ids) => new Map(ids.map((id) => [id, stored(id)]));
}

/** The memory of a replica that has written nothing. */
export function noWrites<W>(): SpaceMemory<W> {
  return new WriteMemory<W>().in(DEFAULT_SPACE);
}

/** What reads of the store need, over fakes of the store and of Temporal. */
export function consistencyOver(
  store: Parameters<typeof createFromStore>[0],
  client: Client,
  clock: Clock,
) {
  const fromStore = createFromStore(store, clock, silent);
  const temporal = createTemporal(client, clock);
  const deps = { temporal, fromStore, clock, log: silent, memory: noWrites<Position>() };
  const collected: string[] = [];
  const intentRows = { collectDue: (intentId: string) => void collected.push(intentId) };
  return { fromStore, temporal, consistency: new Consistency({ ...deps, intentRows }), collected };
}

/** Judges of access lists where there is none. */
export const noList = async (): Promise<void> => undefined;

export const silent: GatewayLog = { warn: () => undefined };

export { caller as callerOf } from '../../support/callers.js';

export function intentOf(fields: Partial<Intent> = {}): Intent {
  return {
    id: INTENT_ID,
    title: 'Refund',
    description: null,
    status: 'suspended_awaiting_input',
    version: 3,
    state: { _suspension: { id: SUSPENSION_ID } },
    constraints: {},
    parent_intent_id: null,
    depends_on: [],
    created_by: 'agent-1',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

const RECORD: SuspensionRecord = {
  id: SUSPENSION_ID,
  question: 'Refund?',
  response_type: 'confirm',
  suspended_at: '2026-01-01T00:00:00.000Z',
  fallback_policy: 'fail',
};

export const SETTLED: SettledRecord = {
  ...RECORD,
  choices: [{ value: 'yes', label: 'Yes' }],
  resolution: 'responded',
  settled_by: 'operator',
  settled_at: '2026-01-01T00:00:05.000Z',
  response: 'yes',
  responded_at: '2026-01-01T00:00:05.000Z',
  responded_by: 'alice',
};

export function viewOf(fields: Partial<SuspensionView> = {}): SuspensionView {
  return {
    id: SUSPENSION_ID,
    intent_id: INTENT_ID,
    state: 'pending',
    asked_by: 'agent-1',
    attempt: 1,
    max_attempts: 1,
    next_attempt_at: null,
    record: RECORD,
    ...decisionOf(fields.record ?? RECORD, fields.attempt ?? 1),
    claim: null,
    comment_count: 0,
    comments: [],
    delegations: [],
    schedule: { attempts: [] },
    timeline: [],
    ...fields,
  };
}

export function settledView(fields: Partial<SuspensionView> = {}): SuspensionView {
  return viewOf({ state: 'settled', record: SETTLED, ...fields });
}

/** The refusal a promise is rejected with; fails where there is none. */
export async function refusalFrom(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  return refusal;
}
