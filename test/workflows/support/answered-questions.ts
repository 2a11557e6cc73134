import type { WorkflowClient } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { calm } from './intents.js';

const LOOKS = 100;
const BETWEEN_LOOKS_MS = 10;

/**
 * The questions of a world that got an answer. Whoever asked may hear of it later than the one who answered, and an
 * Update that comes meanwhile finds the question open; so the next Update waits for that, as the API has it.
 */
export class AnsweredQuestions {
  private readonly client: WorkflowClient;
  private readonly answered = new Set<string>();

  constructor(client: WorkflowClient) {
    this.client = client;
  }

  /** An Update of this question was accepted. */
  add(workflowId: string): void {
    this.answered.add(workflowId);
  }

  /** Waits until this workflow has taken in which of its questions are over. */
  async areHeardBy(workflowId: string): Promise<void> {
    for (const question of this.answered) {
      const { status, raw } = await this.client.getHandle(question).describe();
      const { parentExecution } = raw.workflowExecutionInfo ?? {};
      if (status.name === 'RUNNING' || parentExecution?.workflowId !== workflowId) continue;
      this.answered.delete(question);
      await this.isHeard(workflowId, parentExecution.runId ?? '', question);
    }
  }

  private async isHeard(workflowId: string, runId: string, question: string): Promise<void> {
    const asker = this.client.getHandle(workflowId, runId);
    for (let look = 0; look < LOOKS; look += 1) {
      const { events } = await asker.fetchHistory();
      const isTold = events?.some(
        ({ childWorkflowExecutionCompletedEventAttributes: ended }) =>
          ended?.workflowExecution?.workflowId === question,
      );
      const { status } = await asker.describe();
      if (isTold || status.name !== 'RUNNING') break;
      await pause(BETWEEN_LOOKS_MS);
    }
    await calm(asker);
  }
}
