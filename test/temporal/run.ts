import { msToTs } from '@temporalio/common/lib/time.js';
import type proto from '@temporalio/proto';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface.js';
import Long from 'long';
import { randomUUID } from 'node:crypto';
import type { ScheduledActivity } from './activities.js';
import { newWorkflow } from './code.js';
import { NORMAL_QUEUE, executionOf } from './execution.js';
import { serverError } from './failures.js';
import { RunHistory } from './history.js';
import type { LocalTemporal } from './local-temporal.js';
import { seedOf } from './seed.js';
import { hearAgain, runTask } from './task.js';
import type { Update } from './updates.js';

export type Job = proto.coresdk.workflow_activation.IWorkflowActivationJob;
export type Payload = proto.temporal.api.common.v1.IPayload;
export type Fields = Readonly<Record<string, Payload>>;

/** What a run is started with. */
export interface RunStart {
  readonly workflowId: string;
  readonly type: string;
  readonly taskQueue: string;
  readonly input: readonly Payload[];
  readonly headers: Fields;
  readonly memo: Fields;
  readonly searchAttributes: Fields;
  readonly parent?: ParentLink;
  /** The run that this one follows, and the first of all. */
  readonly continues?: { readonly runId: string; readonly firstRunId: string };
}

/** The run that hears of the end of its child. */
export interface ParentLink {
  readonly run: Run;
  readonly seq: number;
  readonly initiatedEventId: number;
}

/** A child, as its parent keeps it. */
export interface Child {
  readonly seq: number;
  readonly workflowId: string;
  readonly type: string;
  readonly initiatedEventId: number;
  readonly closePolicy: proto.coresdk.child_workflow.ParentClosePolicy;
  startedEventId?: number;
  runId?: string;
}

export type Status =
  | 'RUNNING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'TERMINATED'
  | 'CONTINUED_AS_NEW';

/** One run of a workflow: what Temporal keeps of it, and its code in the sandbox. */
export class Run {
  readonly server: LocalTemporal;
  readonly start: RunStart;
  readonly runId = randomUUID();
  readonly firstRunId: string;
  readonly startedAt: number;
  readonly history = new RunHistory();
  readonly updates = new Map<string, Update>();
  readonly activities = new Map<number, ScheduledActivity>();
  readonly timers = new Map<number, { readonly eventId: number; readonly stop: () => void }>();
  readonly children = new Map<number, Child>();
  readonly patches: string[] = [];
  /** What its code has taken in, as it would in a replay. */
  readonly heard: proto.coresdk.workflow_activation.IWorkflowActivation[] = [];
  memo: Fields;
  searchAttributes: Fields;
  status: Status = 'RUNNING';
  closedAt: number | undefined;
  workflow: Workflow | undefined;
  /** The event that says that a task waits; 0 where only Updates wait, which leave no trace if they are refused. */
  private waiting: number | undefined;
  private jobs: Job[] = [];
  private ended: (() => void) | undefined;
  /** Resolves once it is closed. */
  readonly whenClosed = new Promise<void>((resolve) => (this.ended = resolve));

  constructor(server: LocalTemporal, start: RunStart) {
    this.server = server;
    this.start = start;
    this.startedAt = server.clock.now;
    this.firstRunId = start.continues?.firstRunId ?? this.runId;
    this.memo = start.memo;
    this.searchAttributes = start.searchAttributes;
    const { parent, continues } = start;
    this.add('workflowExecutionStarted', {
      workflowType: { name: start.type },
      taskQueue: { name: start.taskQueue, kind: NORMAL_QUEUE },
      input: { payloads: [...start.input] },
      header: { fields: start.headers },
      memo: { fields: start.memo },
      searchAttributes: { indexedFields: start.searchAttributes },
      workflowTaskTimeout: msToTs(10_000),
      originalExecutionRunId: this.runId,
      firstExecutionRunId: this.firstRunId,
      continuedExecutionRunId: continues?.runId ?? '',
      identity: 'local',
      attempt: 1,
      ...(parent && {
        parentWorkflowNamespace: 'default',
        parentWorkflowExecution: executionOf(parent.run),
        parentInitiatedEventId: parent.initiatedEventId,
      }),
    });
    this.wake();
  }

  get isOpen(): boolean {
    return this.status === 'RUNNING';
  }

  /** Whether a task waits for a worker. */
  get hasTask(): boolean {
    return this.isOpen && this.waiting !== undefined;
  }

  add(...[kind, fields, more]: AddArgs): number {
    return this.history.add(this.server.clock.now, kind as 'timerFired', fields as object, more);
  }

  /** There is something for the next task to take in, besides what its history tells. */
  wake(...jobs: readonly Job[]): void {
    if (!this.isOpen) return;
    this.jobs.push(...jobs);
    const hadTask = this.waiting !== undefined;
    if (!this.waiting) this.waiting = this.scheduleTask();
    if (!hadTask) this.server.hasTask(this);
  }

  /** A Signal waits for the next task. */
  signal(signalName: string, input: readonly Payload[], headers: Fields): void {
    const sent = { signalName, identity: 'local' };
    this.add('workflowExecutionSignaled', {
      ...sent,
      input: { payloads: [...input] },
      header: { fields: headers },
    });
    this.wake({ signalWorkflow: { ...sent, input: [...input], headers } });
  }

  /** An Update waits for the next task. */
  admit(update: Update): void {
    this.updates.set(update.id, update);
    this.jobs.push({ doUpdate: update.job });
    if (this.waiting !== undefined) return;
    this.waiting = 0;
    this.server.hasTask(this);
  }

  private scheduleTask(): number {
    const { taskQueue } = this.start;
    return this.add('workflowTaskScheduled', {
      taskQueue: { name: taskQueue, kind: NORMAL_QUEUE },
      startToCloseTimeout: msToTs(10_000),
      attempt: 1,
    });
  }

  /** Runs the task that waits. */
  async work(): Promise<void> {
    if (!this.hasTask) return;
    const scheduled = this.waiting ?? 0;
    const jobs = this.jobs.splice(0);
    this.waiting = undefined;
    await runTask(this, scheduled, jobs);
  }

  /** The events that a task begins with, unless it has them. */
  begin(scheduled: number): { readonly scheduled: number; readonly started: number } {
    const event = scheduled || this.scheduleTask();
    return {
      scheduled: event,
      started: this.add('workflowTaskStarted', { scheduledEventId: event, identity: 'local' }),
    };
  }

  /** The run in the sandbox, as far as it had come, and the job that makes it begin, if it has not. */
  async load(): Promise<{ readonly workflow: Workflow; readonly first: readonly Job[] }> {
    if (this.workflow) return { workflow: this.workflow, first: [] };
    const { start, startedAt, server } = this;
    const creator = await server.codeFor(start.taskQueue);
    const instant = new Date(startedAt);
    this.workflow = await newWorkflow(
      creator,
      {
        workflowId: start.workflowId,
        runId: this.runId,
        workflowType: start.type,
        parent: start.parent && { ...executionOf(start.parent.run), namespace: 'default' },
        root: undefined,
        taskQueue: start.taskQueue,
        firstExecutionRunId: this.firstRunId,
        continuedFromExecutionRunId: start.continues?.runId,
        startTime: instant,
        runStartTime: instant,
      },
      server.clock.now,
    );
    const initializeWorkflow = {
      workflowType: start.type,
      workflowId: start.workflowId,
      arguments: [...start.input],
      randomnessSeed: Long.fromString(String(seedOf(this.runId)), true),
      headers: start.headers,
      identity: 'local',
      firstExecutionRunId: this.firstRunId,
      originalExecutionRunId: this.runId,
      attempt: 1,
      startTime: msToTs(startedAt),
      workflowTaskTimeout: msToTs(10_000),
      memo: { fields: start.memo },
      searchAttributes: { indexedFields: start.searchAttributes },
    };
    if (this.heard.length === 0)
      return { workflow: this.workflow, first: [{ initializeWorkflow }] };
    await hearAgain(this, this.workflow);
    return { workflow: this.workflow, first: [] };
  }

  /** Its worker is gone, and the code with all that it knew. */
  async unload(): Promise<void> {
    const { workflow } = this;
    this.workflow = undefined;
    await workflow?.dispose();
  }

  /** It takes no more messages, and nothing that it waited for reaches it. */
  close(status: Exclude<Status, 'RUNNING'>): void {
    this.status = status;
    this.closedAt = this.server.clock.now;
    this.waiting = undefined;
    for (const { stop } of this.timers.values()) stop();
    for (const activity of this.activities.values()) activity.abandon();
    for (const update of this.updates.values()) {
      update.lost(serverError('notFound', 'workflow execution already completed'));
    }
    this.ended?.();
  }
}

type AddArgs = Parameters<RunHistory['add']> extends [number, ...infer Rest] ? Rest : never;
