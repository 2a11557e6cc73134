import { randomUUID } from 'node:crypto';
import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspendBody } from '../../contracts/suspension-requests.js';
import { suspendRequestSchema } from '../../contracts/suspension-requests.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { newIntent } from '../../domain/intent-entity.js';
import { resolveQuestion } from '../../domain/question.js';
import {
  intentQuery,
  suspendUpdate,
  type IntentInput,
  type IntentSnapshot,
} from '../../workflows/intent/messages.js';
import type { intent } from '../../workflows/intent/workflow.js';
import { recordQuery, type OperatorAnswer } from '../../workflows/suspension/messages.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { FakeActivities } from './fake-activities.js';
import { startTimeSkipping, testBundle } from './temporal-test-server.js';

type IntentHandle = WorkflowHandle<typeof intent>;
type SuspensionHandle = WorkflowHandle<typeof suspension>;

/** A time-skipping server with our workflows, fake activities, and a worker that can go away. */
export class World {
  readonly env: TestWorkflowEnvironment;
  readonly taskQueue = `test-${randomUUID()}`;
  activities = new FakeActivities();
  private worker: { stop: () => Promise<void> } | undefined;

  private constructor(env: TestWorkflowEnvironment) {
    this.env = env;
  }

  static async start(): Promise<World> {
    const world = new World(await startTimeSkipping());
    await world.startWorker();
    return world;
  }

  get client(): WorkflowClient {
    return this.env.client.workflow;
  }

  async now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  async startWorker(): Promise<void> {
    const { writeJournal, notify } = this.activities;
    const worker = await Worker.create({
      connection: this.env.nativeConnection,
      taskQueue: this.taskQueue,
      workflowBundle: await testBundle(),
      activities: { writeJournal, notify },
      maxCachedWorkflows: 100,
      stickyQueueScheduleToStartTimeout: '1s',
      shutdownGraceTime: '1s',
      shutdownForceTime: '5s',
    });
    const running = worker.run();
    this.worker = {
      stop: async () => {
        worker.shutdown();
        await running;
      },
    };
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  /** Lets `passing` happen while no worker is there. */
  async withoutWorker(passing: () => Promise<void>): Promise<void> {
    await this.stopWorker();
    await passing();
    await this.startWorker();
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.env.teardown();
  }

  /** Starts an intent; active unless told otherwise. */
  async openIntent(
    options: Partial<IntentInput> & { status?: 'draft' | 'active' } = {},
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
    return receipt.view ?? this.suspension(receipt.suspension_id).query(recordQuery);
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
    key = randomUUID(),
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
