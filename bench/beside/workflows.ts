import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineUpdate,
  proxyActivities,
  setHandler,
  startChild,
} from '@temporalio/workflow';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import type { handActivities } from './hand-activities.js';
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

const { noteQuestion, noteOutcome } = proxyActivities<ReturnType<typeof handActivities>>({
  startToCloseTimeout: '10 seconds',
});

/**
 * A question as a careful team writes it by hand: an activity writes its row and tells somebody, a validator judges the
 * answer, it expires after a day, and another activity writes the outcome.
 */
export async function byHand(id: string): Promise<string> {
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
  await noteQuestion(id);
  await condition(() => answer !== undefined, '1 day');
  await noteOutcome(id, answer ?? 'expired');
  return answer ?? 'expired';
}

/** Resolves once the question is asked. */
export const askUpdate = defineUpdate<string>('ask');

/** An intent by hand: it writes its row, asks in a child and shows that it waits, takes that one's result, and writes its row again. */
export async function intentByHand(id: string): Promise<string> {
  let outcome: Promise<string> | undefined;
  setHandler(askUpdate, async () => {
    const workflowId = `${id}-question`;
    const child = await startChild(byHand, { workflowId, args: [workflowId] });
    outcome = child.result();
    await noteOutcome(id, 'waiting');
    return workflowId;
  });
  await noteQuestion(id);
  await condition(() => outcome !== undefined);
  const answer = (await outcome) ?? '';
  await condition(allHandlersFinished);
  await noteOutcome(id, answer);
  return answer;
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
