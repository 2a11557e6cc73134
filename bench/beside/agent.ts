import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { JsonValue } from '../../contracts/json.js';
import { awaitInput, openInput } from '../../workflows/human/index.js';

export const questionQuery = defineQuery<string | undefined>('question');
/** Completes in the task in which the agent goes on. */
export const resumedUpdate = defineUpdate<JsonValue>('resumed');

/** An agent that is a workflow: asks, and goes on with the answer. */
export async function agent(): Promise<JsonValue> {
  const known: { id?: string; value?: JsonValue } = {};
  setHandler(questionQuery, () => known.id);
  setHandler(resumedUpdate, async () => {
    await condition(() => known.value !== undefined);
    return known.value ?? null;
  });
  known.id = await openInput({ question: 'Refund order 12345?', response_type: 'confirm' });
  known.value = await awaitInput(known.id);
  await condition(allHandlersFinished);
  return known.value;
}
