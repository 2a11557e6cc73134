import { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import {
  Runtime,
  type InjectedSinks,
  type LogLevel,
  type LogMetadata,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { SinkCall, Sinks } from '@temporalio/workflow';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScheduledActivity } from './activities.js';
import { endParentsChildren } from './children.js';
import { StandingClock, type Clock } from './clock.js';
import { loadCode } from './code.js';
import { localConnection } from './connection.js';
import { Run, type RunStart } from './run.js';
import { Sequence } from './sequence.js';
import { STANDSTILL_LOOKS, Standstill } from './standstill.js';

type Activity = (...args: never[]) => Promise<unknown>;

/** Who carries out what waits in a task queue. */
export interface LocalWorker {
  readonly taskQueue: string;
  /** Its workflows; without one it carries out activities only. */
  readonly bundle?: WorkflowBundleOption;
  readonly activities: Readonly<Record<string, Activity>>;
  readonly sinks?: InjectedSinks<Sinks>;
}

/** Makes a clock, which may ring only between two steps. */
type NewClock = (order: (step: () => void) => void) => Clock;

const {
  WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE: REJECT_DUPLICATE,
  WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY: FAILED_ONLY,
} = proto.temporal.api.enums.v1.WorkflowIdReusePolicy;
/** Where workflows log. */
const LOGGER = '__temporal_logger';
/** Milliseconds of its time that a look takes while nothing happens: retries come up for those who look again and again. */
const LOOK_MS = 5;

/**
 * What Temporal does, in this process: it keeps histories and starts what they lead to, with the SDK's own sandbox for the code.
 * One thing happens after the other. Time stands, but for those who let it pass, and a little for those who look or wait.
 */
export class LocalTemporal extends Sequence {
  readonly clock: Clock;
  /** Whether a task that refuses all its Updates stays in the history, as on a server where something else comes meanwhile. */
  keepsRefusals = false;
  readonly connection = localConnection(this);
  readonly activityClient = new Client({ connection: this.connection });
  private readonly runs = new Map<string, Run[]>();
  private readonly workers: LocalWorker[] = [];
  /** Starts of children that wait, where they are held back. */
  private heldStarts: (() => void)[] | undefined;
  /** What to call where nothing can come. */
  private readonly waiters = new Set<(why: Standstill) => void>();
  /** How often something was asked for. */
  private asked = 0;

  /** @param newClock - of the clock; one that stands unless given */
  constructor(newClock: NewClock = () => new StandingClock(Date.now())) {
    super();
    this.clock = newClock((step) => this.order(step));
  }

  /** All runs, oldest first. */
  get allRuns(): readonly Run[] {
    return [...this.runs.values()].flat();
  }

  // Workers

  startWorker(worker: LocalWorker): void {
    this.workers.push(worker);
    for (const run of this.allRuns) if (run.hasTask) this.hasTask(run);
    for (const run of this.allRuns) {
      for (const activity of run.activities.values()) this.hasActivity(activity);
    }
  }

  async stopWorker(worker: LocalWorker): Promise<void> {
    await this.call(async () => {
      this.workers.splice(this.workers.indexOf(worker), 1);
      for (const run of this.allRuns) if (!this.hasWorkerFor(run)) await run.unload();
    });
  }

  private workerOf(taskQueue: string): LocalWorker | undefined {
    return this.workers.find((one) => one.taskQueue === taskQueue && one.bundle !== undefined);
  }

  hasWorkerFor({ start }: Run): boolean {
    return this.workerOf(start.taskQueue) !== undefined;
  }

  async codeFor(taskQueue: string) {
    const worker = this.workerOf(taskQueue);
    if (!worker?.bundle) throw new Error(`nobody works on ${taskQueue}`);
    return loadCode(worker.bundle, Object.keys(worker.activities));
  }

  /** Hands on what a task logs or traces. */
  async takeSinkCalls(run: Run, calls: readonly SinkCall[]): Promise<void> {
    const sinks: Partial<
      Record<string, Partial<Record<string, { readonly fn: (...args: never[]) => unknown }>>>
    > = this.workerOf(run.start.taskQueue)?.sinks ?? {};
    for (const { ifaceName, fnName, workflowInfo, args } of calls) {
      if (ifaceName === LOGGER) this.log(fnName, args);
      else {
        // The code lives in a realm of its own: a copy leaves that.
        const given = [workflowInfo, ...structuredClone(args)] as never[];
        await sinks[ifaceName]?.[fnName]?.fn(...given);
      }
    }
  }

  private log(level: string, [message, attributes]: unknown[]): void {
    const { logger } = Runtime.instance();
    logger.log(level.toUpperCase() as LogLevel, String(message), attributes as LogMetadata);
  }

  // Runs

  newRun(start: RunStart): Run {
    const run = new Run(this, start);
    const before = this.runs.get(start.workflowId) ?? [];
    this.runs.set(start.workflowId, [...before, run]);
    return run;
  }

  /** A run by its id, or the newest of a workflow. */
  findRun(workflowId: string, runId = ''): Run | undefined {
    const runs = this.runs.get(workflowId) ?? [];
    return runId === '' ? runs.at(-1) : runs.find((run) => run.runId === runId);
  }

  openRun(workflowId: string, runId = ''): Run | undefined {
    const run = this.findRun(workflowId, runId);
    return run?.isOpen ? run : undefined;
  }

  /** Whether a workflow may start under an id, by the policy for ids that were in use. */
  isFree(
    workflowId: string,
    reusePolicy: proto.temporal.api.enums.v1.WorkflowIdReusePolicy | null | undefined,
  ): boolean {
    const last = this.findRun(workflowId);
    if (!last) return true;
    if (last.isOpen || reusePolicy === REJECT_DUPLICATE) return false;
    return reusePolicy !== FAILED_ONLY || last.status !== 'COMPLETED';
  }

  cancel(run: Run): void {
    run.add('workflowExecutionCancelRequested', { identity: 'local' });
    run.wake({ cancelWorkflow: {} });
  }

  terminate(run: Run, reason: string): void {
    run.add('workflowExecutionTerminated', { reason, identity: 'local' });
    endParentsChildren(run, 'TERMINATED', {
      failed: { failure: { message: reason, terminatedFailureInfo: {} } },
    });
  }

  /** Starts a child after all that was ordered before. */
  orderStart(start: () => void): void {
    if (this.heldStarts) this.heldStarts.push(start);
    else this.order(start);
  }

  /** Holds back what would start children, until the returned function is called. */
  holdStarts(): () => void {
    const held: (() => void)[] = [];
    this.heldStarts = held;
    return () => {
      this.heldStarts = undefined;
      for (const start of held) this.order(start);
    };
  }

  hasTask(run: Run): void {
    if (!this.hasWorkerFor(run)) return;
    this.order(async () => {
      if (this.hasWorkerFor(run)) await run.work();
    });
  }

  hasActivity(activity: ScheduledActivity): void {
    this.order(() => {
      const name = activity.command.activityType ?? '';
      const worker = this.workers.find(
        (one) => one.taskQueue === activity.taskQueue && name in one.activities,
      );
      const fn = worker?.activities[name];
      if (fn) activity.begin(fn as (...args: unknown[]) => Promise<unknown>);
    });
  }

  // Time

  protected override before(): void {
    this.clock.catchUp();
  }

  override call<T>(work: () => T | Promise<T>): Promise<T> {
    this.asked += 1;
    return super.call(work);
  }

  /** The same as `call` for what only looks, which takes a little of its time. */
  async look<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.clock.stands) await this.tick();
    return this.call(work);
  }

  private tick(): Promise<boolean> {
    return super.call(() => this.clock.moveTowards(this.clock.now + LOOK_MS));
  }

  /** Waits for what is to come; time goes on meanwhile, no faster than it does elsewhere. Rejects once nothing can come. */
  async waitFor<T>(coming: Promise<T>): Promise<T> {
    if (!this.clock.stands) return coming;
    return new Promise((resolve, reject) => {
      this.waiters.add(reject);
      if (this.waiters.size === 1) void this.goOnWhileWaitedFor();
      void coming.then(resolve, reject).finally(() => this.waiters.delete(reject));
    });
  }

  private async goOnWhileWaitedFor(): Promise<void> {
    let [asked, still] = [this.asked, 0];
    while (this.waiters.size > 0) {
      await pause(LOOK_MS);
      if (this.waiters.size === 0) return;
      await this.tick();
      const goesOn = this.clock.isSet || this.hasActivities || this.asked > asked;
      [asked, still] = [this.asked, goesOn ? 0 : still + 1];
      if (still <= STANDSTILL_LOOKS) continue;
      for (const stop of this.waiters) stop(new Standstill(this.allRuns));
      this.waiters.clear();
    }
  }

  /** Lets time pass. */
  async sleep(ms: number): Promise<void> {
    const end = await this.call(() => this.clock.now + ms);
    while (await this.call(() => this.clock.moveTowards(end)));
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.call(() => {
      for (const run of this.allRuns) if (run.isOpen) run.close('TERMINATED');
      this.clock.close();
    });
  }
}
