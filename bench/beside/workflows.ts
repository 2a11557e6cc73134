import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { announcementSignal } from '../../workflows/engine/messages.js';
import { awaitInput, openInput } from '../../workflows/human/index.js';

export const BESIDE_TASK_QUEUE = 'beside';

export const answerUpdate = defineUpdate<string, [string]>('answer');

/** The least that can wait for an answer: what Temporal itself costs. */
export async function bare(): Promise<string> {
  let answer: string | undefined;
  setHandler(
    answerUpdate,
    (value) => {
      answer = value;
      return value;
    },
    {
      validator: (value) => {
        if (value === '') throw new Error('empty');
      },
    },
  );
  await condition(() => answer !== undefined);
  return answer ?? '';
}

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

/** The least that can observe an intent; ends with it. */
export async function observer(): Promise<void> {
  let status: string | undefined;
  setHandler(announcementSignal, (announcement) => {
    if ('status' in announcement) ({ status } = announcement);
  });
  await condition(() => status === 'completed');
}
