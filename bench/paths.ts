import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { BenchStack } from './bench-stack.js';
import {
  BESIDE_TASK_QUEUE,
  answerUpdate,
  askUpdate,
  type agent as agentWorkflow,
  type byHand,
  type intentByHand,
} from './beside/workflows.js';
import type { CarriedOut } from './carried-out.js';

/** The ways on which a question is asked and answered, as the tables name them. */
export const PATHS = {
  standalone: 'a question of its own',
  intent: 'an intent asks and goes on',
  agent: 'an agent that is a workflow',
  hand: 'a question by hand',
  handIntent: 'an intent by hand',
} as const;
export type PathName = keyof typeof PATHS;

/** The paths that an older version has too: its worker may not know the workflows by hand. */
export const OF_ANY_VERSION: readonly PathName[] = ['standalone', 'intent', 'agent'];

const LOOK_MS = 15;

/**
 * One question on each path, from its creation until all that follows from its answer is carried out. Gives the
 * ids of its workflows.
 */
export const ROUNDS: Readonly<
  Record<PathName, (bench: BenchStack, carriedOut: CarriedOut) => Promise<string[]>>
> = {
  async standalone(bench, carriedOut) {
    const { id } = await bench.ask();
    await carriedOut.opened(id);
    await bench.answer(id);
    await carriedOut.settled(id);
    return [workflowIdOf('suspension', id)];
  },

  async intent(bench, carriedOut) {
    const intentId = await bench.createIntent();
    await carriedOut.created(intentId);
    const view = await bench.open(intentId);
    const workflowId = workflowIdOf('intent', intentId);
    await carriedOut.opened(view.id, workflowId);
    await bench.respond(view);
    await carriedOut.settled(view.id);
    await carriedOut.resumed(intentId);
    return [workflowId, workflowIdOf('suspension', view.id)];
  },

  async agent(bench, carriedOut) {
    const { workflowId, question } = await startAgent(bench);
    const id = await question();
    await carriedOut.opened(id, workflowId);
    await bench.answer(id);
    await carriedOut.settled(id);
    await carriedOut.ended(workflowId);
    return [workflowId, workflowIdOf('suspension', id)];
  },

  async hand({ temporal }, carriedOut) {
    const id = randomUUID();
    const handle = await temporal.workflow.start<typeof byHand>('byHand', {
      workflowId: id,
      taskQueue: BESIDE_TASK_QUEUE,
      args: [id],
    });
    await carriedOut.allAtRest([id]);
    await handle.executeUpdate(answerUpdate, { args: ['yes'] });
    await carriedOut.ended(id);
    return [id];
  },

  async handIntent({ temporal }, carriedOut) {
    const id = randomUUID();
    const question = `${id}-question`;
    const handle = await temporal.workflow.start<typeof intentByHand>('intentByHand', {
      workflowId: id,
      taskQueue: BESIDE_TASK_QUEUE,
      args: [id],
    });
    await carriedOut.allAtRest([id]);
    await handle.executeUpdate(askUpdate);
    await carriedOut.allAtRest([id, question]);
    await temporal.workflow.getHandle(question).executeUpdate(answerUpdate, { args: ['yes'] });
    await carriedOut.ended(id);
    return [id, question];
  },
};

/** Starts an agent that is a workflow; `question` gives the id of what it asks, looking for it so often. */
export async function startAgent({ temporal }: BenchStack, lookMs = LOOK_MS) {
  const workflowId = randomUUID();
  const options = { workflowId, taskQueue: BESIDE_TASK_QUEUE };
  const handle = await temporal.workflow.start<typeof agentWorkflow>('agent', options);
  const question = async (): Promise<string> => {
    for (;;) {
      const id = await childOf(handle);
      if (id !== undefined) return id;
      await pause(lookMs);
    }
  };
  return { workflowId, handle, question };
}

/** Asks Temporal and not the workflow: a query would be work for the worker. */
async function childOf(handle: {
  describe: () => Promise<{
    raw: { pendingChildren?: readonly { workflowId?: string | null }[] | null };
  }>;
}): Promise<string | undefined> {
  const { raw } = await handle.describe();
  const child = raw.pendingChildren?.[0]?.workflowId;
  return child?.replace(/^suspension-/, '');
}
