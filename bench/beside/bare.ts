import { condition, defineUpdate, setHandler } from '@temporalio/workflow';

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
