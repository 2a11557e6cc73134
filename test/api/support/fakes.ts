import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Clock } from '../../../api/parts/calls/deadline.js';
import { createTemporal } from '../../../api/parts/calls/temporal.js';
import { Consistency } from '../../../api/parts/reads/reads.js';
import {
  WriteMemory,
  createMemories,
  memoriesIn,
  type SpaceMemory,
} from '../../../api/parts/reads/write-memory.js';
import { createFromStore, type WarningLog } from '../../../api/parts/reads/from-store.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { refusalOf } from '../../../api/errors.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { SettledRecord, SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { decisionOf } from '../../../domain/suspension/answering/decision.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';

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
  private time: number;
  private readonly sleepers = new Set<Sleeper>();

  constructor(time = NOW) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const wake = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { at: this.time + ms, wake };
      this.sleepers.add(sleeper);
      const abort = (): void => {
        this.sleepers.delete(sleeper);
        reject(new Error('sleep aborted'));
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Moves on to the instant at which the next sleeper wakes, if there is one. */
  async skip(): Promise<void> {
    await idle();
    const next = Math.min(...[...this.sleepers].map(({ at }) => at));
    if (Number.isFinite(next)) await this.advance(next - this.time);
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
  /** Of an Update that came with a start: what the workflow was started with. */
  readonly startedWith?: readonly unknown[];
  /** The signal that ends the RPC. */
  readonly signal: AbortSignal;
}

export type Handler = (call: FakeCall) => unknown;

export interface FakeHandlers {
  readonly update?: Handler;
  readonly query?: Handler;
  readonly signal?: Handler;
  readonly start?: Handler;
  readonly result?: Handler;
  readonly describe?: Handler;
  readonly execute?: Handler;
  /** Methods of Temporal's own API. */
  readonly service?: object;
}

interface Definition {
  readonly name: string;
}
interface UpdateOptions {
  readonly args?: readonly unknown[];
  readonly updateId?: string;
}

interface WithStart extends UpdateOptions {
  readonly startWorkflowOperation: {
    readonly workflowTypeOrFunc: string;
    readonly options: { readonly workflowId: string; readonly args: unknown[] };
  };
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
    query: ({ name }: Definition, ...args: unknown[]) =>
      run(handlers.query, { workflowId, name, args }),
    signal: ({ name }: Definition, ...args: unknown[]) =>
      run(handlers.signal, { workflowId, name, args }),
    describe: () => run(handlers.describe, { workflowId, name: 'describe', args: [] }),
  });
  const start = (name: string, options: { workflowId: string; args: unknown[] }) =>
    run(handlers.start, { workflowId: options.workflowId, name, args: [options] });
  const client = {
    connection: { workflowService: handlers.service ?? {} },
    options: { namespace: 'default' },
    workflow: {
      getHandle,
      start,
      /** Temporal starts the workflow, and then takes the Update. */
      executeUpdateWithStart: async (
        { name }: Definition,
        { args = [], updateId = '', startWorkflowOperation }: WithStart,
      ) => {
        const { workflowTypeOrFunc, options } = startWorkflowOperation;
        await start(workflowTypeOrFunc, options);
        const { workflowId, args: startedWith } = options;
        return run(handlers.update, { workflowId, name, args, updateId, startedWith });
      },
      execute: (name: string, options: { workflowId: string }) =>
        run(handlers.execute, { workflowId: options.workflowId, name, args: [options] }),
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

/** What becomes of a call to a workflow that is not there. */
export function closed(): never {
  throw new WorkflowNotFoundError('closed', '', undefined);
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

export { afterReads, fakeStore, sequences } from './fake-store.js';
export type { FakeQueries, StoreCall } from './fake-store.js';

/** The memory of a replica that has written nothing. */
export function noWrites<W>(): SpaceMemory<W> {
  return new WriteMemory<W>('things', (_earlier, later) => later).in(DEFAULT_SPACE);
}

/** What reads of the store need, over fakes of the store and of Temporal. */
export function consistencyOver(
  store: Parameters<typeof createFromStore>[0],
  client: Client,
  clock: Clock,
) {
  const fromStore = createFromStore(store, clock, silent);
  const temporal = createTemporal(client, clock);
  const deps = {
    temporal,
    fromStore,
    clock,
    log: silent,
    memory: memoriesIn(createMemories(), DEFAULT_SPACE).logs,
  };
  const collected: string[] = [];
  const intentRows = { collectDue: (intentId: string) => void collected.push(intentId) };
  return { fromStore, temporal, consistency: new Consistency({ ...deps, intentRows }), collected };
}

export const silent: WarningLog = { warn: () => undefined };

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
