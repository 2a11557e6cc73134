import type { Announced, Announcement } from '../contracts/announcement.js';
import type { IntentNote } from '../contracts/intent.js';
import type { DueDeadline } from '../contracts/portfolio.js';
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

/** Both signal a workflow; one that is closed needs to be told nothing. */
export interface DeadlinePorts {
  readonly expire: (suspensionId: string, deadline: DueDeadline) => Promise<unknown>;
  readonly abandon: (intentId: string, deadline: DueDeadline) => Promise<unknown>;
}

/** Ends questions for the deadline of a portfolio; a batch that comes again changes nothing. */
export function createDeadlineActivities({
  expire,
  abandon,
}: DeadlinePorts): Pick<Activities, 'expireQuestions'> {
  return {
    async expireQuestions({ suspension_ids, intent_ids = [], ...deadline }) {
      await forEach(suspension_ids, (suspensionId) => expire(suspensionId, deadline));
      await forEach(intent_ids, (intentId) => abandon(intentId, deadline));
    },
  };
}

/** `append` appends to the log of an intent, once under a key; nothing to a closed one. */
export interface NotePorts {
  readonly append: (note: IntentNote) => Promise<void>;
}

/** Lets a workflow append to the log of an intent that is not its own. */
export function createNoteActivities({ append }: NotePorts): Pick<Activities, 'noteIntent'> {
  return { noteIntent: append };
}

/** Signals of one batch that are under way at once. */
const AT_ONCE = 25;

/** The results in the order of the items; a few are worked on at once. */
export async function forEach<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
