import { randomUUID } from 'node:crypto';
import type { SuspensionView } from '../contracts/suspension-view.js';
import type { BenchStack } from './bench-stack.js';
import { BESIDE_TASK_QUEUE } from './beside/workflows.js';
import type { bare } from './beside/workflows.js';
import { rateOf } from './statistics.js';

export const CLIENTS = 32;

/** Per second, with 32 clients. */
export interface Throughput {
  readonly opens: number;
  readonly answers: number;
}

/** Starts, then Updates, of the bare workflow. */
export async function measureBare({ temporal }: BenchStack, count: number): Promise<Throughput> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const at = (index: number): string => ids[index] ?? '';
  const opens = await rateOf(count, CLIENTS, (index) =>
    temporal.workflow.start<typeof bare>('bare', {
      workflowId: at(index),
      taskQueue: BESIDE_TASK_QUEUE,
    }),
  );
  const answers = await rateOf(count, CLIENTS, (index) =>
    temporal.workflow
      .getHandle<typeof bare>(at(index))
      .executeUpdate<string, [string]>('answer', { args: ['yes'] }),
  );
  return { opens, answers };
}

/** Questions opened, then answered, over HTTP; the intents are there before. */
export async function measureHoldpoint(bench: BenchStack, count: number): Promise<Throughput> {
  const intents: string[] = [];
  await rateOf(count, CLIENTS, async () => intents.push(await bench.createIntent()));
  const views: SuspensionView[] = [];
  const opens = await rateOf(count, CLIENTS, async (index) =>
    views.push(await bench.open(intents[index] ?? '')),
  );
  const answers = await rateOf(count, CLIENTS, (index) => bench.respond(views[index] ?? missing()));
  return { opens, answers };
}

function missing(): never {
  throw new Error('fewer questions than answers');
}
