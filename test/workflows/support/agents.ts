import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { TASK_QUEUE, entityIdOf } from '../../../contracts/constants/names.js';
import type { InputHookEvent } from '../../../contracts/suspension-requests.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import type * as workflows from './agent-workflows.js';
import { companionBundle } from '../../support/temporal-test-server.js';
import { World, type WorldOptions } from './world.js';
import { run, type RunningWorker } from '../../support/temporal.js';
import { lookUntil } from '../../support/looks.js';

const QUEUE = 'agents';

type Workflows = Omit<typeof workflows, 'goOnSignal'>;
export type AgentHandle = WorkflowHandle;

/**
 * Holdpoint beside a worker of agents with a task queue of its own. An agent that ends before the workflow
 * of its question leaves the server unable to skip time, so each test that moves it has one of its own.
 */
export class Agents {
  readonly world: World;
  /** Every call of a hook that reached the agents' worker, with the name of the activity. */
  readonly called: { readonly activity: string; readonly event: InputHookEvent }[] = [];
  /** Runs in place of the hooks. */
  hook: () => Promise<void> = () => Promise.resolve();
  private readonly options: WorldOptions;
  private worker: RunningWorker | undefined;

  private constructor(world: World, options: WorldOptions) {
    this.world = world;
    this.options = options;
  }

  static async start(options: WorldOptions = {}): Promise<Agents> {
    const agents = new Agents(await World.start({ ...options, taskQueue: TASK_QUEUE }), options);
    await agents.startWorker();
    return agents;
  }

  async startWorker(): Promise<void> {
    const hooks = ['asked', 'answered', 'expired'].map((activity) => [
      activity,
      (event: InputHookEvent) => {
        this.called.push({ activity, event });
        return this.hook();
      },
    ]);
    const { onDevServer: _, ...workerOptions } = this.options;
    const worker = await Worker.create({
      connection: this.world.env.nativeConnection,
      taskQueue: QUEUE,
      workflowBundle: await companionBundle('agent-workflows'),
      activities: Object.fromEntries(hooks),
      maxCachedWorkflows: 100,
      stickyQueueScheduleToStartTimeout: '1s',
      shutdownGraceTime: '1s',
      shutdownForceTime: '5s',
      ...workerOptions,
    });
    this.worker = run(worker);
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.world.close();
  }

  /** Starts an agent. */
  async run<N extends keyof Workflows>(
    name: N,
    ...args: Parameters<Workflows[N]>
  ): Promise<AgentHandle> {
    return this.world.client.start(name, {
      workflowId: `agent-${randomUUID()}`,
      taskQueue: QUEUE,
      args,
    });
  }

  /**
   * The questions that an agent has asked in its first run, once there are `count` and their first messages are out. It looks
   * at its history and the store, for a Query that meets a task can leave the server unable to skip time.
   */
  async questions({ workflowId }: AgentHandle, count = 1): Promise<readonly SuspensionView[]> {
    const { activities } = this.world;
    const firstRun = await this.firstRun(workflowId);
    return lookUntil(async () => {
      const { events } = await firstRun.fetchHistory();
      const ids = (events ?? []).flatMap(
        ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) =>
          child?.workflowId ? [entityIdOf(child.workflowId, 'suspension')] : [],
      );
      const views = ids.flatMap((id) => activities.suspensionOf(id) ?? []);
      if (views.length !== count) return undefined;
      for (const { id } of views) await this.world.delivered(id);
      return views;
    }, `not ${count} questions of ${workflowId}`);
  }

  private async firstRun(workflowId: string): Promise<AgentHandle> {
    const { client } = this.world;
    const { events } = await client.getHandle(workflowId).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    return client.getHandle(workflowId, started?.firstExecutionRunId ?? undefined);
  }

  /** The one question of an agent. */
  async question(handle: AgentHandle): Promise<SuspensionView> {
    const [view] = await this.questions(handle);
    if (!view) throw new Error('no question');
    return view;
  }
}

/** Why an agent failed; throws where it did not. */
export async function failureOf(handle: AgentHandle): Promise<ApplicationFailure> {
  const cause = await causeOf(handle);
  if (cause instanceof ApplicationFailure) return cause;
  throw new Error('it failed in another way', { cause });
}

/** Whether an agent ended as cancelled. */
export async function endsCancelled(handle: AgentHandle): Promise<boolean> {
  return (await causeOf(handle)) instanceof CancelledFailure;
}

async function causeOf(handle: AgentHandle): Promise<unknown> {
  try {
    await handle.result();
  } catch (error) {
    if (error instanceof WorkflowFailedError) return error.cause;
    throw error;
  }
  throw new Error('it did not fail');
}
