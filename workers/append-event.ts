import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { SERVER } from '../contracts/constants/callers.js';
import type { IntentNote } from '../contracts/intent.js';
import { appendEventUpdate } from '../workflows/intent/messages.js';
import { inTime } from './in-time.js';

/** Appends an event to the log of an intent, once under its key; false if that takes none, for it is closed or refuses. */
export async function appendEvent(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
  { key, intent_id: _intent, question: _asked, ...draft }: IntentNote,
): Promise<boolean> {
  try {
    const handle = workflow.getHandle(workflowId);
    await inTime(workflow, () =>
      handle.executeUpdate(appendEventUpdate, {
        args: [{ ...draft, by: SERVER, key }],
        updateId: key,
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isRefused(error)) return false;
    throw error;
  }
}

/** Whether the refusal is final: an intent between two runs can be asked again. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type !== 'moving';
}
