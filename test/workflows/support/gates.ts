import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { GateOutcome, ToolCall } from '../../../contracts/approval/gate.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Notes } from '../../../domain/suspension/answering/response.js';
import { lookUntil } from '../../support/looks.js';
import { companionCode } from '../../support/temporal-test-server.js';
import { AgentWorker, type AgentCode } from './agent-worker.js';
import { tierOf, vote, type ApprovalHandle, type AskedTier } from './approvals.js';
import { startedChildren } from './children.js';
import type { Act, TurnInput } from './gated-agents.js';
import type * as workflows from './gated-agents.js';
import type { WorldOptions } from './world.js';

const QUEUE = 'gated-agents';

/** An approval that a turn has opened, with its question. */
export interface OpenGate {
  readonly handle: ApprovalHandle;
  readonly tier: AskedTier;
}

/** Holdpoint beside a worker of agents whose tools are gated. */
export class Gates extends AgentWorker {
  /** Every try of a tool that reached the agents' worker. */
  readonly acted: Act[] = [];
  /** Runs in place of the tools. */
  act: (what: Act) => Promise<JsonValue> = ({ tool }) => Promise.resolve(`${tool} is done`);
  protected readonly code: AgentCode = {
    taskQueue: QUEUE,
    code: () => companionCode('gated-agents'),
    activities: {
      act: (what: Act) => {
        this.acted.push(what);
        return this.act(what);
      },
    },
  };

  static async start(options: WorldOptions = {}): Promise<Gates> {
    const gates = new Gates(await AgentWorker.world(options), options);
    await gates.startWorker();
    return gates;
  }

  /** Starts an agent that takes one turn. */
  async turn(input: TurnInput): Promise<WorkflowHandle<typeof workflows.takesTurn>> {
    return this.start('takesTurn', input);
  }

  async start<N extends 'takesTurn' | 'reports'>(
    name: N,
    input: TurnInput,
  ): Promise<WorkflowHandle<(typeof workflows)[N]>> {
    return this.world.client.start<(typeof workflows)[N]>(name, {
      workflowId: `gated-${randomUUID()}`,
      taskQueue: QUEUE,
      args: [input] as never,
    });
  }

  /** The approvals that an agent has opened, in the order of its calls, once there are `count` that ask. */
  async open(agent: WorkflowHandle, count = 1): Promise<readonly OpenGate[]> {
    const handles = await lookUntil(async () => {
      const ids = await startedChildren(agent);
      if (ids.length !== count) return undefined;
      return ids.map((id): ApprovalHandle => this.world.client.getHandle(id));
    }, `not ${count} approvals of ${agent.workflowId}`);
    return Promise.all(
      handles.map(async (handle) => ({ handle, tier: await tierOf(this.world, handle) })),
    );
  }

  /** The one approval that an agent has opened. */
  async one(agent: WorkflowHandle): Promise<OpenGate> {
    const [gate] = await this.open(agent);
    if (!gate) throw new Error('no approval');
    return gate;
  }

  /** Alice decides, with the notes that an answer may have. */
  async decide(
    { tier }: OpenGate,
    value: 'approved' | 'rejected',
    notes: Notes = {},
    edits?: { readonly call_id: string; readonly arguments: JsonObject },
  ): Promise<void> {
    await vote(this.world, tier, 'alice', value, {
      ...notes,
      ...(edits && { edits: [edits], edits_allowed: { risk_class: 'high' } }),
    });
  }

  /** The tools that ran, in the order in which they began. */
  get ran(): readonly string[] {
    return this.acted.map(({ tool }) => tool);
  }
}

/** A model's call. */
export function callOf(name: string, args: JsonObject = {}, id = `call-${name}`): ToolCall {
  return { id, name, arguments: args };
}

/** How each call ended. */
export function statusesOf({ results }: GateOutcome): readonly (readonly [string, string])[] {
  return results.map(({ name, status }) => [name, status] as const);
}
