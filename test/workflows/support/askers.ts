import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { TASK_QUEUE } from '../../../contracts/constants/names.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { goOnSignal, type Onward } from './agent-workflows.js';
import { Agents } from './agents.js';
import { respond } from './suspensions.js';
import type { World, WorldOptions } from './world.js';

/** The questions with this text. */
function askedIn({ activities }: World, question: string): readonly LiveView[] {
  return activities.rows.flatMap((row) => {
    if (row.kind !== 'suspension_opened' || row.record.question !== question) return [];
    return activities.suspensionOf(row.record.id) ?? [];
  });
}

/** The question with this text, once its first message is out. */
export async function openedIn(world: World, question: string): Promise<LiveView> {
  const view = await lookUntil(async () => askedIn(world, question)[0], 'nobody is asked');
  await world.delivered(view.id);
  return view;
}

/** Workflows that ask as one in any language does: by the name of a child. */
export class Askers extends Agents {
  static override async start(options: WorldOptions = {}): Promise<Askers> {
    const askers = new Askers(await Agents.world(options), options);
    await askers.startWorker();
    return askers;
  }

  /** Starts one of the types without a parent. */
  begin(type: 'ask' | 'gate' | 'complete', ...args: readonly unknown[]): Promise<WorkflowHandle> {
    const options = { workflowId: `any-id/${randomUUID()}`, taskQueue: TASK_QUEUE };
    return this.world.client.start(type, { ...options, args: [...args] });
  }

  asked(question: string): readonly LiveView[] {
    return askedIn(this.world, question);
  }

  opened(question: string): Promise<LiveView> {
    return openedIn(this.world, question);
  }

  async answer(view: LiveView, value: string, comment?: string): Promise<void> {
    const answer = await this.world.answer(view, value);
    const handle = this.world.suspension(view.id);
    await respond({ handle }, { ...answer, ...(comment !== undefined && { comment }) });
  }

  /** Waits until another workflow has asked for a question that is open. */
  async takenOver({ id }: LiveView): Promise<void> {
    const question = this.world.suspension(id);
    await lookUntil(async () => {
      const { events } = await question.fetchHistory();
      return events?.some(
        ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName === 'attach',
      );
    }, 'no other workflow has asked');
  }

  /** How a question was settled, once it is. */
  async ended({ id }: LiveView) {
    return this.world.suspension(id).result();
  }

  /** Lets a parent continue as new. */
  async movedOn({ workflowId }: WorkflowHandle): Promise<void> {
    const now = this.world.client.getHandle(workflowId);
    const { runId } = await now.describe();
    await now.signal(goOnSignal);
    await lookUntil(async () => (await now.describe()).runId !== runId, 'it is in its first run');
  }
}

/** How a parent ends. */
type End = (parent: WorkflowHandle) => Promise<unknown>;

/** Ways in which a parent ends early, with how it goes on. */
export const ENDS: readonly (readonly [string, Onward, End])[] = [
  ['is cancelled', 'waits', (parent) => parent.cancel()],
  ['is terminated', 'waits', (parent) => parent.terminate()],
  ['ends', 'ends', (parent) => parent.signal(goOnSignal)],
  ['fails', 'fails', (parent) => parent.signal(goOnSignal)],
];
