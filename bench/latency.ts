import type { WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'holdpoint-client';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import type { BenchStack } from './bench-stack.js';
import { BESIDE_TASK_QUEUE, type agent as agentWorkflow, type bare } from './beside/workflows.js';
import { timed } from './statistics.js';

/** What is measured, each in milliseconds, in the order of the table. */
export const LATENCIES = {
  bare: 'bare workflow: an Update until its result',
  bare_result: 'bare workflow: an Update until the workflow has ended with it',
  respond: 'POST …/respond until its reply',
  resume_http: 'answer sent until requestInput returns, over HTTP',
  resume_temporal: 'the same in an agent that is a workflow',
} as const;
export type LatencyName = keyof typeof LATENCIES;
export type Latencies = Readonly<Record<LatencyName, number[]>>;

/** Long enough for whoever waits to be listening. */
const SETTLING_MS = 60;
const LOOK_MS = 20;

const MEASURES: Readonly<Record<LatencyName, (bench: BenchStack) => Promise<number>>> = {
  async bare({ temporal }) {
    const options = { workflowId: randomUUID(), taskQueue: BESIDE_TASK_QUEUE };
    const handle = await temporal.workflow.start<typeof bare>('bare', options);
    await pause(SETTLING_MS);
    return timed(() => handle.executeUpdate<string, [string]>('answer', { args: ['yes'] }));
  },

  async bare_result({ temporal }) {
    const options = { workflowId: randomUUID(), taskQueue: BESIDE_TASK_QUEUE };
    const handle = await temporal.workflow.start<typeof bare>('bare', options);
    const ended = handle.result();
    await pause(SETTLING_MS);
    const update = () => handle.executeUpdate<string, [string]>('answer', { args: ['yes'] });
    return timed(() => Promise.all([update(), ended]));
  },

  async respond(bench) {
    const view = await bench.open(await bench.createIntent());
    await pause(SETTLING_MS);
    return timed(() => bench.respond(view));
  },

  async resume_http(bench) {
    const intentId = await bench.createIntent();
    let answered = Promise.resolve();
    let start = 0;
    const agent = new Agent({
      baseUrl: bench.stack.apiUrl,
      apiKey: bench.stack.keys.find(({ roles }) => roles.includes('agent'))?.key ?? '',
      hooks: {
        onInputRequested: (_intent, { id, intent_id }) => {
          answered = pause(SETTLING_MS).then(() => {
            start = performance.now();
            return bench.respond({ id, intent_id });
          });
        },
      },
    });
    await agent.requestInput(intentId, { question: 'Refund?', response_type: 'confirm' });
    const ms = performance.now() - start;
    await answered;
    return ms;
  },

  async resume_temporal(bench) {
    const options = { workflowId: randomUUID(), taskQueue: BESIDE_TASK_QUEUE };
    const handle = await bench.temporal.workflow.start<typeof agentWorkflow>('agent', options);
    const resumed = handle.executeUpdate<JsonValue, []>('resumed');
    const id = await questionOf(handle);
    await pause(SETTLING_MS);
    const start = performance.now();
    const answer = bench.call('operator', 'POST', `/suspensions/${id}/respond`, { value: 'yes' });
    await resumed;
    const ms = performance.now() - start;
    await answer;
    return ms;
  },
};

/** The suspension that the agent waits for, once it is open. */
async function questionOf(handle: WorkflowHandle): Promise<string> {
  for (;;) {
    const id = await handle.query<string | undefined>('question');
    if (id !== undefined) return id;
    await pause(LOOK_MS);
  }
}

/** Takes each measure in turn, `rounds` times after a few to warm up, one at a time. */
export async function measureLatencies(bench: BenchStack, rounds: number): Promise<Latencies> {
  const names = Object.keys(LATENCIES) as LatencyName[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Latencies;
  const warmUp = Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of names) {
      const ms = await MEASURES[name](bench);
      if (round >= 0) samples[name].push(ms);
    }
  }
  return samples;
}
