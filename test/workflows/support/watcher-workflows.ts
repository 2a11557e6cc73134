import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setHandler,
} from '@temporalio/workflow';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import { isAnnouncement } from '../../../domain/graph/announcement.js';
import { announcementSignal } from '../../../workflows/engine/messages.js';
import { observingIntents, type CarriedWishes } from '../../../workflows/engine/observing.js';
import { Outbox } from '../../../workflows/engine/sender.js';

/** Everything that was heard, in the order in which it came. */
export const heardQuery = defineQuery<readonly Announcement[]>('heard');
export const continueSignal = defineSignal('continueAsNew');

interface Carried {
  readonly heard: readonly Announcement[];
  readonly wishes: CarriedWishes;
}

/** Observes intents until somebody ends it. */
export async function watches(intentIds: readonly string[], carried?: Carried): Promise<void> {
  const heard: Announcement[] = [...(carried?.heard ?? [])];
  let moving = false;
  const observing = observingIntents((end) => heard.push(end), carried?.wishes);
  new Outbox(observing).start();
  setHandler(announcementSignal, (message) => {
    if (isAnnouncement(message)) heard.push(message);
  });
  setHandler(heardQuery, () => heard);
  setHandler(continueSignal, () => {
    moving = true;
  });
  if (!carried) observing.observe(...intentIds);
  await condition(() => moving);
  await observing.stop();
  await continueAsNew<typeof watches>(intentIds, { heard, wishes: observing.carried });
}

/** Goes on for ever in its first task. */
export async function restless(): Promise<never> {
  for (;;) {
    let again = false;
    void Promise.resolve().then(() => {
      again = true;
    });
    await condition(() => again);
  }
}
