import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, type Workflow } from '@temporalio/common';
import type { InputHookEvent } from '../../../contracts/suspension/requests.js';
import type * as workflows from './agent-workflows.js';
import { companionCode } from '../../support/temporal-test-server.js';
import { AgentWorker, type AgentCode } from './agent-worker.js';
import type { WorldOptions } from './world.js';

const QUEUE = 'agents';

type Workflows = Omit<typeof workflows, 'goOnSignal'>;
export type AgentHandle = WorkflowHandle;

/** Holdpoint beside a worker of agents with a task queue of its own. */
export class Agents extends AgentWorker {
  /** Every call of a hook that reached the agents' worker, with the name of the activity. */
  readonly called: { readonly activity: string; readonly event: InputHookEvent }[] = [];
  /** Runs in place of the hooks. */
  hook: () => Promise<void> = () => Promise.resolve();
  protected readonly code: AgentCode = {
    taskQueue: QUEUE,
    code: () => companionCode('agent-workflows'),
    activities: Object.fromEntries(
      ['asked', 'answered', 'expired'].map((activity) => [
        activity,
        (event: InputHookEvent) => {
          this.called.push({ activity, event });
          return this.hook();
        },
      ]),
    ),
  };

  static async start(options: WorldOptions = {}): Promise<Agents> {
    const agents = new Agents(await AgentWorker.world(options), options);
    await agents.startWorker();
    return agents;
  }

  /** Starts an agent. */
  async run<N extends keyof Workflows>(
    name: N,
    ...args: Parameters<Workflows[N]>
  ): Promise<AgentHandle> {
    return this.world.client.start<Workflow>(name, {
      workflowId: `agent-${randomUUID()}`,
      taskQueue: QUEUE,
      args,
    });
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
