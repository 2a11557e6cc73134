import { WorkflowClient } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { suspendRequestSchema } from '../../contracts/suspension-requests.js';
import type { SuspendBody } from '../../contracts/suspension-requests.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { newIntent } from '../../domain/intent/entity.js';
import { resolveQuestion } from '../../domain/suspension/question.js';
import { intentQuery, suspendUpdate } from '../../workflows/intent/messages.js';
import type { IntentRun } from '../../workflows/intent/carried.js';
import type { IntentSnapshot } from '../../workflows/intent/messages.js';
import type { intent } from '../../workflows/intent/workflow.js';
import { recordQuery } from '../../workflows/suspension/messages.js';
import type { OperatorAnswer } from '../../workflows/suspension/messages.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { FakeActivities } from './fake-activities.js';
import { testBundle } from './temporal-test-server.js';
import { run } from './temporal.js';
import type { RunningWorker } from './temporal.js';
import {
  giveTimeSkippingBack,
  sleepDespiteLostLocks,
  sleepPastWaitingTasks,
  takeTimeSkipping,
} from './time-skipping.js';
import { lookUntil } from './looks.js';

type IntentHandle = WorkflowHandle<typeof intent>;
type SuspensionHandle = WorkflowHandle<typeof suspension>;

/** How this world's worker differs from the usual one. */
export interface WorldOptions {
  /** 0 evicts every workflow after each task, so that each task replays its whole history. */
  readonly maxCachedWorkflows?: number;
  /** Its own unless given. */
  readonly taskQueue?: string;
}

/** A time-skipping server with our workflows, fake activities, and a worker that can go away. */
export class World {
  readonly env: TestWorkflowEnvironment;
  /**
   * A client whose `result()` does not move time. The environment's own lets the server skip while it waits,
   * if need be to the end of every running workflow, ten years on.
   */
  readonly client: WorkflowClient;
  readonly taskQueue: string;
  activities = new FakeActivities();
  private readonly options: WorldOptions;
  private worker: RunningWorker | undefined;

  private constructor(env: TestWorkflowEnvironment, options: WorldOptions) {
    this.env = env;
    this.client = new WorkflowClient({ connection: env.connection });
    this.options = options;
    this.taskQueue = options.taskQueue ?? `test-${randomUUID()}`;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const world = new World(await takeTimeSkipping(), options);
    await world.startWorker();
    return world;
  }

  async now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  async startWorker(): Promise<void> {
    const { writeJournal, notify, prepareInput, readInput } = this.activities;
    const { announce, observeIntents, expireQuestions } = this.activities;
    const { linkDependency, readTasks, readMembers, noteIntent } = this.activities;
    const worker = await Worker.create({
      connection: this.env.nativeConnection,
      workflowBundle: await testBundle(),
      activities: {
        writeJournal,
        notify,
        prepareInput,
        readInput,
        announce,
        observeIntents,
        expireQuestions,
        linkDependency,
        readTasks,
        readMembers,
        noteIntent,
      },
      maxCachedWorkflows: 100,
      stickyQueueScheduleToStartTimeout: '1s',
      shutdownGraceTime: '1s',
      shutdownForceTime: '5s',
      ...this.options,
      taskQueue: this.taskQueue,
    });
    this.worker = run(worker);
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  /** Lets time pass; a time skip starts once no task is under way. */
  async sleep(duration: Duration): Promise<void> {
    await sleepDespiteLostLocks(this.env, duration);
  }

  /** Lets `passing` happen while no worker is there. */
  async withoutWorker(passing: () => Promise<void>): Promise<void> {
    await this.stopWorker();
    await passing();
    await this.startWorker();
  }

  /**
   * Lets time pass while a task waits for the worker that is away: each such task keeps the server from
   * skipping, so its lock is lifted meanwhile. For worlds without a workflow cache: what waits for a worker
   * that caches is soon asked of another.
   */
  async sleepPastTasks(duration: Duration, waitingTasks = 1): Promise<void> {
    await sleepPastWaitingTasks(this.env, duration, waitingTasks);
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await giveTimeSkippingBack(this.env);
  }

  /** Starts an intent; active unless told otherwise. */
  async openIntent(
    options: Partial<IntentRun> & { status?: 'draft' | 'active' } = {},
  ): Promise<IntentHandle> {
    const { status = 'active', ...input } = options;
    const request = { title: 'Refund', status, state: {}, constraints: {} };
    const created_at = new Date(await this.now()).toISOString();
    const identity = { id: randomUUID(), created_by: 'agent-1', created_at };
    return this.client.start<typeof intent>('intent', {
      workflowId: workflowIdOf('intent', identity.id),
      taskQueue: this.taskQueue,
      args: [{ intent: newIntent(request, identity), ...input }],
    });
  }

  /** Suspends the intent with a question; the defaults make a choice between approve and deny. */
  async ask(
    handle: IntentHandle,
    body: Partial<SuspendBody> = {},
    key?: string,
  ): Promise<SuspensionView> {
    const request = suspendRequestSchema.parse({ question: 'Refund?', ...defaults(body), ...body });
    const resolved = resolveQuestion(request, null, { contextBytes: 65_536 });
    if (!resolved.ok) throw new Error(resolved.refusal.detail);
    const { draft } = resolved.value;
    const input = { actor: 'agent-1', draft, ...(key && { request: { key, body_hash: key } }) };
    const receipt = await handle.executeUpdate(suspendUpdate, { args: [input] });
    await this.delivered(receipt.suspension_id);
    return receipt.view ?? this.suspension(receipt.suspension_id).query(recordQuery);
  }

  /**
   * Waits until the first message is out. The time-skipping server refuses to cancel an activity that has
   * just completed, and gives the task again only 10 s later; a real server does not mind. It looks at the
   * history, for a Query that meets a task can leave that server unable to skip time.
   */
  async delivered(suspensionId: string): Promise<void> {
    if (!this.worker || !this.activities.deliversAtOnce) return;
    await lookUntil(async () => {
      const { events } = await this.suspension(suspensionId).fetchHistory();
      const sending = events?.find(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'notify',
      );
      const sent = events?.some((event) =>
        event.activityTaskCompletedEventAttributes?.scheduledEventId?.equals(sending?.eventId ?? 0),
      );
      const last = events?.at(-1);
      const busy =
        last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes;
      return sent && !busy;
    }, 'the first message did not go out');
  }

  suspension(id: string): SuspensionHandle {
    return this.client.getHandle<typeof suspension>(workflowIdOf('suspension', id));
  }

  async snapshot(handle: IntentHandle): Promise<IntentSnapshot> {
    return handle.query(intentQuery);
  }

  /** An answer as the gateway would hand it in. */
  async answer(
    view: SuspensionView,
    value: OperatorAnswer['value'] = 'approve',
    key: string = randomUUID(),
  ): Promise<OperatorAnswer> {
    return {
      intent_id: view.intent_id,
      value,
      responded_by: 'alice',
      submitted_by: 'alice',
      received_at: new Date(await this.now()).toISOString(),
      answer: { key, body_hash: `hash of ${JSON.stringify(value)}` },
    };
  }
}

function defaults({ response_type = 'choice' }: Partial<SuspendBody>): Partial<SuspendBody> {
  if (response_type !== 'choice') return {};
  return {
    choices: [
      { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
      { value: 'deny', label: 'Deny refund' },
    ],
  };
}
