import { Context, log } from '@temporalio/activity';
import pMap from 'p-map';
import type {
  AnnouncementBatch,
  MembershipPage,
  MembershipRequest,
  Observation,
  ObservationRequest,
  Unreached,
} from '../contracts/graph/announcement.js';
import type { IntentNote } from '../contracts/intent/intent.js';
import type { DeadlineBatch } from '../contracts/portfolio/portfolio.js';
import { isGuardedBy, unguarded } from '../domain/graph/announcement.js';
import { shortened } from '../domain/kernel/text.js';
import type { ActivityStore, WorkflowMessages } from './ports/store.js';

/** How many messages of a batch are sent at once. */
const AT_ONCE = 25;

/** How often a batch is tried while one of its questions is missing: for about two minutes. */
const TRIES = 30;

/** Sends an announcement to all its observers; returns those that did not take it. A repeated announcement changes nothing. */
export async function announce(
  workflows: Pick<WorkflowMessages, 'announce'>,
  { observers, announcement }: AnnouncementBatch,
): Promise<Unreached> {
  const taken = await forEach(observers, (observer) => workflows.announce(observer, announcement));
  const those = (what: 'gone' | 'full') => observers.filter((_one, index) => taken[index] === what);
  return { gone: those('gone'), full: those('full') };
}

/**
 * Asks intents to announce themselves to an observer. Returns the stored state of those whose workflow is closed or missing, and
 * the ids of those that take no message for now.
 */
export async function observeIntents(
  { observe }: Pick<WorkflowMessages, 'observe'>,
  { storedAnnouncement }: Pick<ActivityStore, 'storedAnnouncement'>,
  { observer, intent_ids }: ObservationRequest,
): Promise<Observation> {
  const full: string[] = [];
  const found = await forEach(intent_ids, async (intentId) => {
    const taken = await observe(intentId, observer);
    if (taken === 'full') full.push(intentId);
    const end = taken === 'gone' ? await storedAnnouncement(intentId) : undefined;
    return end && !isGuardedBy(observer) ? unguarded(end) : end;
  });
  return { ended: found.filter((one) => one !== undefined), full };
}

/** Reads who belongs to a portfolio. Throws, to be retried, while the store has not reached `last_sequence`. */
export async function readMembers(
  { membershipChanges }: Pick<ActivityStore, 'membershipChanges'>,
  request: MembershipRequest,
): Promise<MembershipPage> {
  const page = await membershipChanges(request);
  if (page) return page;
  const { portfolio_id, last_sequence } = request;
  throw new Error(`portfolio ${portfolio_id} is not stored up to event ${last_sequence}`);
}

/**
 * Expires open questions for the deadline of a portfolio; a repeated batch changes nothing. Throws, to be retried,
 * while a question is missing: its intent announces it in the task that starts it, so the deadline may come first.
 */
export async function expireQuestions(
  { expireQuestion, expireIntent }: Pick<WorkflowMessages, 'expireQuestion' | 'expireIntent'>,
  { suspension_ids, intent_ids = [], ...deadline }: DeadlineBatch,
): Promise<void> {
  const { info, heartbeat } = Context.current();
  const left = info.heartbeatDetails as readonly string[] | undefined;
  const due = left ?? suspension_ids;
  const reached = await forEach(due, (id) => expireQuestion(id, deadline));
  if (!left) await forEach(intent_ids, (intentId) => expireIntent(intentId, deadline));
  const missing = due.filter((_id, index) => !reached[index]);
  if (missing.length === 0) return;
  if (info.attempt < TRIES) {
    // The next try expires only these.
    heartbeat(missing);
    throw new Error(`${missing.length} of the questions are not there yet`);
  }
  const suspensions = missing.map((id) => shortened(id));
  log.warn('overdue_questions_missing', { portfolio_id: deadline.portfolio_id, suspensions });
}

/** Works on `AT_ONCE` items at a time; returns the results in the order of the items. */
export async function forEach<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  return pMap(items, work, { concurrency: AT_ONCE });
}

/** Asks the question of a note, or else appends its event. Returns the id of the question if one was asked. */
export async function noteIntent(
  { askOn, appendEvent }: Pick<WorkflowMessages, 'askOn' | 'appendEvent'>,
  note: IntentNote,
): Promise<string | null> {
  const asked = note.question && (await askOn(note.key, note.question));
  if (asked === undefined) await appendEvent(note);
  return asked ?? null;
}
