import { condition, defineSignal, setHandler } from '@temporalio/workflow';

export const goOn = defineSignal('goOn');

/** Waits for a Signal, and then never gives its thread back: in the reaction of a promise, where our own workflows work too. */
export async function poison(): Promise<void> {
  let isAsked = false;
  setHandler(goOn, () => {
    isAsked = true;
  });
  await condition(() => isAsked);
  await Promise.resolve();
  for (;;) {
    // Nothing ends this but the SDK.
  }
}

/** Waits for a Signal, and says so. */
export async function healthy(): Promise<string> {
  let isAsked = false;
  setHandler(goOn, () => {
    isAsked = true;
  });
  await condition(() => isAsked);
  return 'answered';
}
