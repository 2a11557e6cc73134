import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Connection,
  WorkflowClient,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { entityIdOf } from '../../contracts/constants/names.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { childEnv, launchNode, type LaunchedProcess } from '../../service/node-process.js';
import type { InputOptions } from '../../workflows/human/index.js';
import type { tells } from '../workflows/support/agent-workflows.js';

const TASK_QUEUE = 'chaos-agents';
const PATIENCE_MS = 90_000;
const PAUSE_MS = 200;
const WORKER = new URL('chaos-agent-worker.ts', import.meta.url);

/** An agent that is a workflow, and the question that it has asked. */
export interface AskedByAgent {
  readonly workflowId: string;
  readonly suspensionId: string;
}

/** Agents that are workflows, on a worker of their own that is killed too. */
export class ChaosAgents {
  private readonly address: string;
  private readonly connection: Connection;
  private readonly client: WorkflowClient;
  private worker: LaunchedProcess;

  private constructor(address: string, connection: Connection) {
    this.address = address;
    this.connection = connection;
    this.client = new WorkflowClient({ connection });
    this.worker = this.launch();
  }

  /** @param address - of Temporal's server */
  static async start(address: string): Promise<ChaosAgents> {
    const agents = new ChaosAgents(address, await Connection.connect({ address }));
    await agents.untilUp();
    return agents;
  }

  async close(): Promise<void> {
    await this.end();
    await this.connection.close();
  }

  /** Kills the worker, and starts another one. */
  async kill(): Promise<void> {
    await this.end();
    this.worker = this.launch();
    await this.untilUp();
  }

  /** Starts an agent, whatever dies meanwhile, and finds its question in its history. */
  async ask(options: InputOptions): Promise<AskedByAgent> {
    const workflowId = `agent-${randomUUID()}`;
    await persist(async () => {
      try {
        await this.client.start<typeof tells>('tells', {
          workflowId,
          taskQueue: TASK_QUEUE,
          args: [options],
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    });
    return { workflowId, suspensionId: await persist(() => this.questionOf(workflowId)) };
  }

  /** What the agent got: the answer, or in a list how its question ended otherwise. */
  async outcomeOf(workflowId: string): Promise<JsonValue> {
    return persist(() => this.client.getHandle<typeof tells>(workflowId).result());
  }

  private async questionOf(workflowId: string): Promise<string> {
    const { events } = await this.client.getHandle(workflowId).fetchHistory();
    for (const { startChildWorkflowExecutionInitiatedEventAttributes: child } of events ?? []) {
      if (child?.workflowId) return entityIdOf(child.workflowId, 'suspension');
    }
    throw new Error(`${workflowId} has not asked yet`);
  }

  private launch(): LaunchedProcess {
    const args = [this.address, TASK_QUEUE];
    return launchNode({
      script: WORKER,
      args,
      env: childEnv(process.env),
      onLine: () => undefined,
    });
  }

  /** A worker that finds Temporal killed ends, and is started again. */
  private async untilUp(): Promise<void> {
    await persist(async () => {
      const { ready, ended } = this.worker;
      const isUp = await Promise.race([ready.then(() => true), ended.then(() => false)]);
      if (isUp) return;
      const { lastLines } = await ended;
      this.worker = this.launch();
      throw new Error(`the worker of agents ended: ${lastLines}`);
    });
  }

  private async end(): Promise<void> {
    this.worker.signalAll('SIGKILL');
    await this.worker.ended;
  }
}

/** Tries until it succeeds, for at most 90 s: Temporal may be killed at any moment. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(PAUSE_MS);
    }
  }
}
