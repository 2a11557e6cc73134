import type { WorkflowHandle } from '@temporalio/client';
import { TASK_QUEUE, entityIdOf } from '../../../contracts/constants/names.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import type { WorkflowCode } from '../../support/temporal-test-server.js';
import type { RunningWorker } from '../../support/temporal.js';
import { startedChildren } from './children.js';
import type { Work } from './places.js';
import { World, type WorldOptions } from './world.js';

/** What agents bring along. */
export interface AgentCode {
  readonly taskQueue: string;
  readonly code: () => Promise<WorkflowCode>;
  readonly activities: Work['activities'];
}

/** Holdpoint beside a worker of agents, with a task queue of its own, that can go away and come back. */
export abstract class AgentWorker {
  readonly world: World;
  protected abstract readonly code: AgentCode;
  private readonly options: WorldOptions;
  private worker: RunningWorker | undefined;

  protected constructor(world: World, options: WorldOptions) {
    this.world = world;
    this.options = options;
  }

  /** A world whose own worker is Holdpoint's. */
  protected static world(options: WorldOptions): Promise<World> {
    return World.start({ ...options, taskQueue: TASK_QUEUE });
  }

  async startWorker(): Promise<void> {
    const { on: _on, connect: _connect, ...workerOptions } = this.options;
    const { taskQueue, code, activities } = this.code;
    this.worker = await this.world.place.startWorker({
      code: await code(),
      activities,
      ...workerOptions,
      taskQueue,
    });
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.world.close();
  }

  /** The questions that an agent has asked in its first run, once there are `count` and their first messages are out. */
  async questions({ workflowId }: WorkflowHandle, count = 1): Promise<readonly LiveView[]> {
    const { activities } = this.world;
    const firstRun = await this.firstRun(workflowId);
    return lookUntil(async () => {
      const ids = await startedChildren(firstRun);
      const views = ids.flatMap(
        (id) => activities.suspensionOf(entityIdOf(id, 'suspension')) ?? [],
      );
      if (views.length !== count) return undefined;
      for (const { id } of views) await this.world.delivered(id);
      return views;
    }, `not ${count} questions of ${workflowId}`);
  }

  private async firstRun(workflowId: string): Promise<WorkflowHandle> {
    const { client } = this.world;
    const { events } = await client.getHandle(workflowId).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    return client.getHandle(workflowId, started?.firstExecutionRunId ?? undefined);
  }

  /** The one question of an agent. */
  async question(handle: WorkflowHandle): Promise<LiveView> {
    const [view] = await this.questions(handle);
    if (!view) throw new Error('no question');
    return view;
  }

  /** A flow that an agent runs within its own, once that has heard that it waits. */
  async innerFlow(agent: WorkflowHandle, node: string): Promise<WorkflowHandle> {
    await lookUntil(async () => {
      const { events } = await agent.fetchHistory();
      return events?.some((event) => event.workflowExecutionSignaledEventAttributes);
    }, 'the inner flow says nothing');
    return this.world.client.getHandle(`${agent.workflowId}.${node}`);
  }
}
