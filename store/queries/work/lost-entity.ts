import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { DEFAULT_SPACE, SERVER } from '../../../contracts/constants/callers.js';
import type { WorkflowType } from '../../../contracts/constants/names.js';
import type { EntityKey } from '../../../contracts/kernel/primitives.js';
import type { JournalRow, JournalWatch } from '../../../contracts/log/journal.js';
import { lostIntent, lostPortfolio } from '../../../domain/graph/lost.js';
import { sealEvent, sealTimelineEntry } from '../../../domain/log/seal.js';
import { sharedLock } from '../../advisory-locks.js';
import { announceFeed } from '../../feed/notices.js';
import { wholeStore } from '../../in-space.js';
import type { Store } from '../../schema.js';
import { together } from '../../together.js';
import { insertEvents } from '../event-log.js';
import { writeIntents } from '../intent.js';
import { writePortfolios } from '../portfolio.js';
import { LAST_REVISION } from '../../../contracts/constants/limits.js';
import type { Settlement } from '../../../contracts/suspension/suspension.js';
import { toJsonText } from '../../column-values.js';
import { writeFacts } from '../question-facts.js';
import { timelineEnd, writeTimeline } from '../suspension.js';
import { defined } from '../../../contracts/constants/defined.js';

/** A workflow that observes another, by its kind and id. */
export interface Observer {
  readonly type: WorkflowType;
  readonly id: string;
}

/**
 * Abandons an intent or a portfolio that is still open in the store, with an event in its log, at an instant (ISO-8601).
 * Returns whether it did. Throws, and writes nothing, if another event has come meanwhile.
 */
export async function abandonLost(
  db: Store,
  type: 'intent' | 'portfolio',
  placed: EntityKey,
  at: string,
  watch: JournalWatch = () => undefined,
): Promise<boolean> {
  const rows = await wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      const lost = await (type === 'intent' ? intentRows : portfolioRows)(transaction, placed, at);
      if (lost === undefined) return undefined;
      const writes = [writeIntents, writePortfolios].flatMap(
        (writer) => writer(transaction, lost, placed.space) ?? [],
      );
      await together(transaction, [
        ...writes.map(({ query }) => query),
        sharedLock(transaction, 'feed'),
      ]);
      const events = lost.flatMap((row) => (row.kind === 'event' ? [row.event] : []));
      await insertEvents(transaction, events, placed.space);
      return lost;
    });
  if (rows === undefined) return false;
  watch({ rows, refused: [], news: [] });
  announceFeed(db);
  return true;
}

async function intentRows(
  transaction: Store,
  { id, space }: EntityKey,
  at: string,
): Promise<readonly JournalRow[] | undefined> {
  const stored = await transaction
    .selectFrom('intents')
    .select(['record', 'last_sequence', 'head_hash', 'creation_hash'])
    .where('id', '=', id)
    .where('space', '=', space)
    .where('status', 'not in', ['completed', 'abandoned'])
    .forUpdate()
    .executeTakeFirst();
  if (stored === undefined) return undefined;
  const { value: intent, event: draft } = lostIntent(stored.record, at);
  const { event, end } = sealed(id, draft, at, stored);
  return [event, { kind: 'intent', intent, ...end, ...creationOf(stored) }];
}

async function portfolioRows(
  transaction: Store,
  { id, space }: EntityKey,
  at: string,
): Promise<readonly JournalRow[] | undefined> {
  const stored = await transaction
    .selectFrom('portfolios')
    .select(['record', 'last_sequence', 'head_hash', 'creation_hash'])
    .where('id', '=', id)
    .where('space', '=', space)
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst();
  if (stored === undefined) return undefined;
  const { value: portfolio, event: draft } = lostPortfolio(stored.record, at);
  const { event, end } = sealed(id, draft, at, stored);
  return [event, { kind: 'portfolio', portfolio, ...end, ...creationOf(stored) }];
}

interface StoredEnd {
  readonly last_sequence: number;
  readonly head_hash: string | null;
}

/**
 * Chains an event to the end of a stored log, with a random salt, because the key for salts is lost with the
 * workflow.
 */
function sealed(
  intent_id: string,
  draft: ReturnType<typeof lostIntent>['event'],
  created_at: string,
  { last_sequence, head_hash }: StoredEnd,
) {
  const sequence = last_sequence + 1;
  const salt = randomBytes(32).toString('base64url');
  const place = { intent_id, sequence, created_at, principal: SERVER.principal };
  const event = sealEvent({ ...draft, ...place }, head_hash, salt);
  const end = { last_sequence: sequence, head_hash: event.event_hash };
  return { event: { kind: 'event', event } as const, end };
}

/** Returns the hash of the body that created something; it does not change. */
export function creationOf({ creation_hash }: { readonly creation_hash: string | null }) {
  return creation_hash === null ? {} : { creation_hash };
}

export async function observersOfIntent(
  db: Store,
  { id, space }: EntityKey,
): Promise<readonly Observer[]> {
  const { rows } = await sql<Observer>`
    select 'intent' as type, intent_id as id from dependencies
    where dependency_id = ${id} and present
    union select 'portfolio', portfolio_id from portfolio_members where intent_id = ${id}
    union select 'task', id from tasks where intent_id = ${id} and space = ${space}
    union select 'plan', id from plans where intent_id = ${id} and space = ${space}
    union select 'approval', id from approvals
    where intent_id = ${id} and space = ${space} and status in ('pending', 'approved')
    union select 'coordinator', id from coordinators
    where space = ${space} and (intent_id = ${id} or portfolio_id in (
      select portfolio_id from portfolio_members where intent_id = ${id}
    ))`.execute(db);
  return rows;
}

export async function tasksAfter(db: Store, { id, space }: EntityKey): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from tasks
    where space = ${space} and record -> 'depends_on' @> jsonb_build_array(${id}::text)`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

export async function openQuestionsOfIntent(
  db: Store,
  { id, space }: EntityKey,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('suspensions')
    .select('id')
    .where('intent_id', '=', id)
    .where('space', '=', space)
    .where('state', '=', 'pending')
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the intents whose wired phases a coordinator still holds, by their logs. */
export async function heldBy(db: Store, { id, space }: EntityKey): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly intent_id: string }>`
    select intent_id from (
      select distinct on (intent_id) intent_id, event_type from events
      where space = ${space}
        and event_type in ('coordinator.dependents_held', 'coordinator.dependents_released')
        and payload ->> 'coordinator_id' = ${id}
      order by intent_id, sequence desc
    ) latest where event_type = 'coordinator.dependents_held'`.execute(db);
  return rows.map((row) => row.intent_id);
}

/**
 * Settles a pending suspension whose workflow can no longer do it, and adds that to its timeline.
 *
 * @param watch - receives it like a row that settles the suspension
 */
export async function settleSuspension(
  db: Store,
  id: string,
  settlement: Settlement,
  space: string = DEFAULT_SPACE,
  watch: JournalWatch = () => undefined,
): Promise<void> {
  const { resolution, settled_by, settled_at, reason } = settlement;
  const detail = { cancelled_by: settled_by, ...defined({ reason }) };
  const written = await db.transaction().execute(async (transaction) => {
    const settled = await transaction
      .updateTable('suspensions')
      .set({ settled_revision: LAST_REVISION, state: 'settled', resolution, settled_at })
      .set({ record: sql`suspensions.record || ${toJsonText(settlement)}::jsonb` })
      .where('id', '=', id)
      .where('space', '=', space)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (settled === undefined) return undefined;
    const { last_sequence, head_hash } = await timelineEnd(transaction, id);
    const sequence = last_sequence + 1;
    const entry = { sequence, at: settled_at, kind: 'cancelled', detail } as const;
    // The key for salts is lost with the workflow. Nothing else commits to this entry, so any random salt will do.
    const salt = randomBytes(32).toString('base64url');
    const seal = sealTimelineEntry(id, entry, head_hash, salt);
    const row = { kind: 'timeline', suspension_id: id, entry, seal } as const;
    const writes = [writeTimeline, writeFacts].flatMap(
      (writer) => writer(transaction, [row], space) ?? [],
    );
    for (const { query } of writes) await together(transaction, [query]);
    return row;
  });
  if (written === undefined) return;
  const revision = LAST_REVISION;
  const news = { kind: 'suspension_settled', suspension_id: id, revision, settlement } as const;
  watch({ rows: [news, written], refused: [], news: [news] });
}
