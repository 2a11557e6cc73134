import { condition, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { TaskNews } from '../../contracts/task.js';
import type { Sender } from '../engine/outbox.js';
import { trySignal } from '../engine/outbox.js';
import { followSignal } from './messages.js';

const { readTasks } = proxyActivities<Pick<Activities, 'readTasks'>>({
  startToCloseTimeout: '10 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
  summary: 'read tasks that are over',
});

/**
 * Asks tasks to tell this workflow of their changes. One whose workflow has ended cannot be asked; its end
 * is read from the store and handed to `take`.
 */
export class Following implements Sender {
  private readonly take: (news: TaskNews) => void;
  private readonly wanted: Set<string>;
  private underWay: readonly string[] = [];

  constructor(take: (news: TaskNews) => void, wanted: readonly string[] = []) {
    this.take = take;
    this.wanted = new Set(wanted);
  }

  /** What was not yet asked for. */
  get carried(): readonly string[] {
    return [...this.underWay, ...this.wanted];
  }

  follow(...taskIds: readonly string[]): void {
    for (const taskId of taskIds) this.wanted.add(taskId);
  }

  get due(): boolean {
    return this.underWay.length === 0 && this.wanted.size > 0;
  }

  send(): void {
    this.underWay = [...this.wanted];
    this.wanted.clear();
    void this.ask(this.underWay);
  }

  /** Resolves once every task has been asked. */
  async asked(): Promise<void> {
    await condition(() => this.underWay.length === 0 && this.wanted.size === 0);
  }

  private async ask(taskIds: readonly string[]): Promise<void> {
    const { workflowId } = workflowInfo();
    const reached = await Promise.all(
      taskIds.map((id) => trySignal(workflowIdOf('task', id), followSignal, workflowId)),
    );
    const ended = taskIds.filter((_id, index) => reached[index] === false);
    const found = ended.length > 0 ? await readTasks(ended) : [];
    for (const news of found) this.take(news);
    if (found.length < ended.length) log.warn('followed_task_missing');
    this.underWay = [];
  }
}
