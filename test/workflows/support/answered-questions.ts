import type { WorkflowClient } from '@temporalio/client';
import { calm } from './calm.js';

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
      await calm(this.client.getHandle(workflowId, parentExecution.runId ?? ''));
    }
  }
}
