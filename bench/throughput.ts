import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../contracts/constants/names.js';
import { BenchRefusal, type BenchStack } from './bench-stack.js';
import { BESIDE_TASK_QUEUE, type bare } from './beside/workflows.js';
import { CarriedOut } from './carried-out.js';
import { startAgent } from './paths.js';
import { Meter, scaled, type Spent } from './question-costs.js';
import { rateOf, timed } from './statistics.js';

export const CLIENTS = 32;
const LOOK_MS = 100;

/** The phases of each kind of work, in their order. */
export const PHASES = {
  bare: ['opens', 'answers'],
  standalone: ['opens', 'answers'],
  intent: ['creations', 'opens', 'answers'],
  agent: ['opens', 'answers'],
} as const;
export type WorkName = keyof typeof PHASES;
export type Phase = (typeof PHASES)[WorkName][number];

/** How many a second, with so many clients, until all of them are carried out. */
export type Rates = Readonly<Partial<Record<Phase, number>>>;

export interface Throughput {
  readonly rates: Readonly<Partial<Record<WorkName, Rates>>>;
  /** What each question has cost in all phases, with all that went on beside it: what is idle, and the looks. */
  readonly spent: Readonly<Partial<Record<WorkName, Spent>>>;
  /** Work that this version cannot do, and why. */
  readonly leftOut: Readonly<Partial<Record<WorkName, string>>>;
  /** How often the API was too busy, and was asked again. */
  readonly busy: number;
}

/**
 * Each kind of work with `count` questions, after one for each client that warms up what runs it. No phase begins before
 * the one before it is carried out.
 */
export async function measureThroughput(
  bench: BenchStack,
  count: number,
  clients = CLIENTS,
): Promise<Throughput> {
  const carriedOut = new CarriedOut(bench);
  const before = bench.busy;
  try {
    const rates: Partial<Record<WorkName, Rates>> = {};
    const spent: Partial<Record<WorkName, Spent>> = {};
    const leftOut: Partial<Record<WorkName, string>> = {};
    const meter = new Meter(bench);
    for (const [name, measure] of Object.entries(MEASURES) as [WorkName, Measure][]) {
      try {
        await measure({ bench, carriedOut, count: clients, clients });
        const all = await meter.measure(async () => {
          rates[name] = await measure({ bench, carriedOut, count, clients });
        });
        spent[name] = scaled(all, 1 / count);
      } catch (error) {
        // An older API may not know the route.
        if (!(error instanceof BenchRefusal)) throw error;
        leftOut[name] = error.message;
      }
    }
    return { rates, spent, leftOut, busy: bench.busy - before };
  } finally {
    await carriedOut.close();
  }
}

interface Run {
  readonly bench: BenchStack;
  readonly carriedOut: CarriedOut;
  readonly count: number;
  readonly clients: number;
}

/** Does `work` for each index with that many clients, then waits; gives what all of it makes a second. */
async function phase(
  { count, clients }: Run,
  work: (index: number) => Promise<unknown>,
  untilCarriedOut: () => Promise<unknown>,
): Promise<number> {
  const ms = await timed(async () => {
    await rateOf(count, clients, work);
    await untilCarriedOut();
  });
  return (count / ms) * 1_000;
}

async function bareRates(run: Run): Promise<Rates> {
  const { temporal } = run.bench;
  const ids = Array.from({ length: run.count }, () => randomUUID());
  const at = (index: number): string => ids[index] ?? '';
  const start = (index: number) =>
    temporal.workflow.start<typeof bare>('bare', {
      workflowId: at(index),
      taskQueue: BESIDE_TASK_QUEUE,
    });
  const answer = (index: number) =>
    temporal.workflow
      .getHandle<typeof bare>(at(index))
      .executeUpdate<string, [string]>('answer', { args: ['yes'] });
  const opens = await phase(run, start, () => run.carriedOut.allAtRest(ids));
  const answers = await phase(run, answer, () => run.carriedOut.allEnded(ids));
  return { opens, answers };
}

async function standaloneRates(run: Run): Promise<Rates> {
  const { bench, carriedOut } = run;
  const ids: string[] = [];
  const opens = await phase(
    run,
    async (index) => (ids[index] = (await bench.ask()).id),
    async () => {
      await carriedOut.rows({ of: 'open questions', ids });
      await carriedOut.allAtRest(questions(ids));
    },
  );
  const answers = await phase(
    run,
    (index) => bench.answer(ids[index] ?? ''),
    () => allSettled(run, ids),
  );
  return { opens, answers };
}

async function intentRates(run: Run): Promise<Rates> {
  const { bench, carriedOut } = run;
  const [intents, ids]: [string[], string[]] = [[], []];
  const intent = (index: number): string => intents[index] ?? '';
  const workflows = () => intents.map((id) => workflowIdOf('intent', id));
  const creations = await phase(
    run,
    async (index) => (intents[index] = await bench.createIntent()),
    async () => {
      await carriedOut.rows({ of: 'intents', ids: intents });
      await carriedOut.allAtRest(workflows());
    },
  );
  const opens = await phase(
    run,
    async (index) => (ids[index] = (await bench.open(intent(index))).id),
    async () => {
      await carriedOut.rows({ of: 'open questions', ids });
      await carriedOut.allAtRest([...questions(ids), ...workflows()]);
    },
  );
  const answers = await phase(
    run,
    (index) => bench.respond({ id: ids[index] ?? '', intent_id: intent(index) }),
    async () => {
      await allSettled(run, ids);
      await carriedOut.rows({ of: 'resumed intents', ids: intents });
      await carriedOut.allAtRest(workflows());
    },
  );
  return { creations, opens, answers };
}

async function agentRates(run: Run): Promise<Rates> {
  const { bench, carriedOut } = run;
  const [agents, ids]: [string[], string[]] = [[], []];
  const asked: (() => Promise<string>)[] = [];
  const opens = await phase(
    run,
    async (index) => {
      const { workflowId, question } = await startAgent(bench, LOOK_MS);
      agents[index] = workflowId;
      asked[index] = question;
    },
    async () => {
      for (const question of asked) ids.push(await question());
      await carriedOut.rows({ of: 'open questions', ids });
      await carriedOut.allAtRest([...questions(ids), ...agents]);
    },
  );
  const answers = await phase(
    run,
    (index) => bench.answer(ids[index] ?? ''),
    async () => {
      await allSettled(run, ids);
      await carriedOut.allEnded(agents);
    },
  );
  return { opens, answers };
}

async function allSettled({ carriedOut }: Run, ids: readonly string[]): Promise<void> {
  await carriedOut.rows({ of: 'settled questions', ids });
  await carriedOut.allEnded(questions(ids));
}

type Measure = (run: Run) => Promise<Rates>;
const MEASURES: Readonly<Record<WorkName, Measure>> = {
  bare: bareRates,
  standalone: standaloneRates,
  intent: intentRates,
  agent: agentRates,
};

function questions(ids: readonly string[]): string[] {
  return ids.map((id) => workflowIdOf('suspension', id));
}
