import { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { Runtime } from '@temporalio/worker';
import type {
  InjectedSinks,
  LogLevel,
  LogMetadata,
  WorkflowBundleOption,
} from '@temporalio/worker';
import type { SinkCall, Sinks } from '@temporalio/workflow';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Attempt, ScheduledActivity } from './activities.js';
import { endParentsChildren } from './children.js';
import { StandingClock } from './clock.js';
import { loadCode } from './code.js';
import { localConnection } from './connection.js';
import { Run } from './run.js';
import type { RunStart } from './run.js';

type Activity = (...args: never[]) => Promise<unknown>;

/** Who carries out what waits in a task queue. */
export interface LocalWorker {
  readonly taskQueue: string;
  /** Its workflows; without one it carries out activities only. */
  readonly bundle?: WorkflowBundleOption;
  readonly activities: Readonly<Record<string, Activity>>;
  readonly sinks?: InjectedSinks<Sinks>;
}

const {
  WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE: REJECT_DUPLICATE,
  WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY: FAILED_ONLY,
} = proto.temporal.api.enums.v1.WorkflowIdReusePolicy;
/** Where workflows log. */
const LOGGER = '__temporal_logger';
/** So many turns of the event loop an activity gets to end in before others go on. */
const TURNS = 30;
/** The same for one that has shown that it waits. */
const TURNS_OF_WAITING = 3;
/** Milliseconds of its time that a look takes while nothing happens: retries come up for those who look again and again. */
const LOOK_MS = 5;

/**
 * What Temporal does, in this process: it keeps histories and starts what they lead to, with the SDK's own sandbox for the code.
 * One thing happens after the other. Time stands, but for those who let it pass, and a little for those who look or wait.
 */
export class LocalTemporal {
  readonly clock = new StandingClock(Date.now());
  readonly connection = localConnection(this);
  readonly activityClient = new Client({ connection: this.connection });
  private readonly runs = new Map<string, Run[]>();
  private readonly workers: LocalWorker[] = [];
  private readonly steps: (() => void | Promise<void>)[] = [];
  private readonly calls: (() => void | Promise<void>)[] = [];
  private readonly attempts = new Set<Attempt>();
  private waiters = 0;
  private going = false;
  private broken: Error | undefined;

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
    await this.call(() => {
      this.workers.splice(this.workers.indexOf(worker), 1);
    });
  }

  private workerOf(taskQueue: string): LocalWorker | undefined {
    return this.workers.find((one) => one.taskQueue === taskQueue && one.bundle !== undefined);
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
        const given = [workflowInfo, ...args] as never[];
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

  hasTask(run: Run): void {
    if (!this.workerOf(run.start.taskQueue)) return;
    this.order(async () => {
      if (this.workerOf(run.start.taskQueue)) await run.work();
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

  /** Follows a try of an activity until it is over. */
  watch<T>(attempt: Attempt, ended: Promise<T>, then: (end: T) => void): void {
    this.attempts.add(attempt);
    void ended.then((end) => {
      this.attempts.delete(attempt);
      this.order(() => then(end));
    });
  }

  // One thing after the other

  /** Does something after all that was ordered before. */
  order(step: () => void | Promise<void>): void {
    this.steps.push(step);
    void this.go();
  }

  /** Does something once nothing is under way. What is asked for at the same time comes together, before what follows from it. */
  call<T>(work: () => T | Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.calls.push(async () => {
        const checked = () => {
          this.check();
          return work();
        };
        await Promise.resolve().then(checked).then(resolve, reject);
      });
    });
    void this.go();
    return done;
  }

  /** The same for what only looks, which takes a little of its time. */
  async look<T>(work: () => T | Promise<T>): Promise<T> {
    await this.tick();
    return this.call(work);
  }

  private tick(): Promise<boolean> {
    return this.call(() => this.clock.moveTowards(this.clock.now + LOOK_MS));
  }

  /** Waits for what is to come; time goes on meanwhile, no faster than it does elsewhere. */
  async waitFor<T>(coming: Promise<T>): Promise<T> {
    this.waiters += 1;
    if (this.waiters === 1) void this.goOnWhileWaitedFor();
    return coming.finally(() => (this.waiters -= 1));
  }

  private async goOnWhileWaitedFor(): Promise<void> {
    while (this.waiters > 0) {
      await pause(LOOK_MS);
      if (this.waiters > 0) await this.tick();
    }
  }

  /** Lets time pass. */
  async sleep(ms: number): Promise<void> {
    const end = await this.call(() => this.clock.now + ms);
    while (await this.call(() => this.clock.moveTowards(end)));
  }

  private async go(): Promise<void> {
    if (this.going) return;
    this.going = true;
    try {
      for (;;) {
        await this.settle();
        const calls = this.calls.splice(0);
        if (calls.length === 0) break;
        for (const call of calls) await call();
      }
    } finally {
      this.going = false;
    }
  }

  /** Does all that is to be done, and what follows from it. */
  private async settle(): Promise<void> {
    for (;;) {
      for (let step = this.steps.shift(); step; step = this.steps.shift()) {
        try {
          await step();
        } catch (error) {
          this.broken ??= error instanceof Error ? error : new Error(String(error));
        }
      }
      if (!(await this.activitiesEnd())) return;
    }
  }

  /** Gives the activities that are under way turns to end in; false if none of them leads to anything. */
  private async activitiesEnd(): Promise<boolean> {
    const patience = [...this.attempts].some(({ waits }) => !waits) ? TURNS : TURNS_OF_WAITING;
    for (let turns = 0; this.attempts.size > 0 && turns < patience; turns += 1) {
      await turn();
      if (this.steps.length > 0) return true;
    }
    for (const attempt of this.attempts) attempt.waits = true;
    return this.steps.length > 0;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.call(() => {
      for (const run of this.allRuns) if (run.isOpen) run.close('TERMINATED');
    });
  }

  /** Throws what went wrong in a task: it would be tried again for ever. */
  check(): void {
    if (this.broken !== undefined) throw this.broken;
  }
}
