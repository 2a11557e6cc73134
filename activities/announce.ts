import type {
  Announcement,
  AnnouncementBatch,
  ObservationRequest,
} from '../contracts/announcement.js';
import type { DeadlineBatch } from '../contracts/portfolio.js';
import type { ActivityStore, WorkflowMessages } from './dependencies.js';

/** Messages of one batch that are under way at once. */
const AT_ONCE = 25;

/**
 * Sends an announcement to all its observers; returns those that are closed or missing. The workflow retries a
 * failed batch as a whole: a repeated announcement changes nothing.
 */
export async function announce(
  workflows: Pick<WorkflowMessages, 'announce'>,
  { observers, announcement }: AnnouncementBatch,
): Promise<readonly string[]> {
  const reached = await forEach(observers, (observer) =>
    workflows.announce(observer, announcement),
  );
  return observers.filter((_observer, index) => reached[index] === false);
}

/** Asks intents to announce themselves to an observer; reads from the store what closed intents are. */
export async function observeIntents(
  { observe }: Pick<WorkflowMessages, 'observe'>,
  { storedAnnouncement }: Pick<ActivityStore, 'storedAnnouncement'>,
  { observer, intent_ids }: ObservationRequest,
): Promise<readonly Announcement[]> {
  const found = await forEach(intent_ids, async (intentId) =>
    (await observe(intentId, observer)) ? undefined : storedAnnouncement(intentId),
  );
  return found.filter((one) => one !== undefined);
}

/** Expires open questions for the deadline of a portfolio; a repeated batch changes nothing. */
export async function expireQuestions(
  { expireQuestion, expireIntent }: Pick<WorkflowMessages, 'expireQuestion' | 'expireIntent'>,
  { suspension_ids, intent_ids = [], ...deadline }: DeadlineBatch,
): Promise<void> {
  await forEach(suspension_ids, (suspensionId) => expireQuestion(suspensionId, deadline));
  await forEach(intent_ids, (intentId) => expireIntent(intentId, deadline));
}

/** The results in the order of the items; `AT_ONCE` items are in work at a time. */
async function forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
