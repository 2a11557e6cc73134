import { condition } from '@temporalio/workflow';

/** Something that goes out in its own time, one piece after the other. */
export interface Sender {
  /** Whether a piece is ready and none is under way. */
  readonly due: boolean;
  /** Sends the next piece. */
  send(): void;
}

/**
 * Lets senders send once everything that reached the workflow together has been taken in, the first
 * before the second. Handlers only note what is to be told: after an eviction the SDK hands a workflow
 * two tasks as one where the first changed nothing, with an Update before what preceded it, yet apart
 * when it replays them, and commands must come in the same order both times (docs/adr/0011).
 */
export async function sendInOrder(...senders: readonly Sender[]): Promise<never> {
  for (;;) {
    await condition(() => senders.some(({ due }) => due));
    await allTakenIn();
    for (const sender of senders) if (sender.due) sender.send();
  }
}

/** Conditions are looked at again only when no message and no result is left to be taken in. */
export async function allTakenIn(): Promise<void> {
  let taken = false;
  void Promise.resolve().then(() => {
    taken = true;
  });
  await condition(() => taken);
}
