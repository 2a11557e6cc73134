import type { Announced, Announcement } from '../contracts/announcement.js';
import { forEach } from './for-each.js';
import type { Activities } from './types.js';

/** `tell` and `ask` signal a workflow, and tell whether it was there; other failures are thrown. */
export interface ObserverPorts {
  readonly tell: (observer: string, announcement: Announced) => Promise<boolean>;
  readonly ask: (intentId: string, observer: string) => Promise<boolean>;
  /** What the store has of an intent. */
  readonly find: (intentId: string) => Promise<Announcement | undefined>;
}

/**
 * What carries announcements where they are many, and answers for intents that are closed. A batch that
 * failed is tried again whole by its workflow: being told twice changes nothing.
 */
export function createObserverActivities({
  tell,
  ask,
  find,
}: ObserverPorts): Pick<Activities, 'announce' | 'observeIntents'> {
  return {
    async announce({ observers, announcement }) {
      const taken = await forEach(observers, (observer) => tell(observer, announcement));
      return observers.filter((_observer, index) => taken[index] === false);
    },

    async observeIntents({ observer, intent_ids }) {
      const found = await forEach(intent_ids, async (intentId) =>
        (await ask(intentId, observer)) ? undefined : find(intentId),
      );
      return found.filter((one) => one !== undefined);
    },
  };
}
