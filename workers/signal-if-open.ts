import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { inTime } from './in-time.js';

/** Signals a workflow; false if it is closed or missing. */
export async function signalIfOpen<A extends unknown[]>(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
  definition: SignalDefinition<A>,
  ...args: A
): Promise<boolean> {
  try {
    await inTime(workflow, () => workflow.getHandle(workflowId).signal(definition, ...args));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
