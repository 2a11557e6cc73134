import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/subscription/feed.js';
import { asHashed } from '../../domain/log/seal.js';
import { toText } from '../column-values.js';
import { withinBytes } from '../queries/bounded.js';
import type { Part } from '../queries/bounded.js';
import { RUN_EVENT_COLUMNS } from '../queries/run-log.js';
import type { Store } from '../schema.js';

/** A scope with changes of questions: all, those of a space, or those that one principal asked. */
export type QuestionScope = Extract<
  FeedScope,
  { readonly kind: 'everything' | 'questions' | 'questions_of' }
>;

/** A scope with events of runs: all, those of a space, of one run, or of the runs in which an agent asks. */
type RunScope = Exclude<FeedScope, { readonly kind: 'intent' | 'portfolio' }>;

/** Whether a row of a table is in a range of the feed, and in the space of the scope. */
export function isInRange(
  table: 'events' | 'run_events' | 'suspensions',
  scope: FeedScope,
  { after, upTo }: FeedRange,
): RawBuilder<boolean> {
  const position = sql.ref(`${table}.feed_position`);
  const range = sql<boolean>`${position} > ${String(after)}::bigint and ${position} <= ${String(upTo)}::bigint`;
  if (scope.kind === 'everything') return range;
  return sql<boolean>`${range} and ${sql.ref(`${table}.space`)} = ${toText(scope.space)}`;
}

/**
 * Returns the changes of questions in a range of the feed, in its order. A question has one position, that of its latest
 * change: a reader that continues after any position learns of every question that has changed since. Pauses have none.
 */
export async function readQuestions(
  db: Store,
  scope: QuestionScope,
  range: FeedRange,
): Promise<Part<FeedEntry>> {
  const { limit } = range;
  const inScope = db
    .selectFrom('suspensions')
    .select(['id', 'state', 'change', 'space', 'asked_by', 'feed_position'])
    .where(isInRange('suspensions', scope, range));
  const ofAsker =
    scope.kind === 'questions_of' ? inScope.where('asked_by', '=', toText(scope.id)) : inScope;
  const rows = await ofAsker
    .orderBy('feed_position')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(({ id, state, change, ...row }) => ({
    position: Number(row.feed_position),
    space: row.space,
    created_by: row.asked_by,
    owner: null,
    guarded: null,
    event: { suspension_id: id, state, change: change ?? 'other' },
  }));
  return { rows: entries, more: rows.length > limit };
}

/** Returns the events of runs in a range of the feed, in its order: as many as fit into `bytes`, and at least one. */
export async function readRuns(
  db: Store,
  scope: RunScope,
  range: FeedRange,
  bytes: number,
): Promise<Part<FeedEntry>> {
  const { limit } = range;
  const inScope = db
    .selectFrom('run_events')
    .select([...RUN_EVENT_COLUMNS, 'feed_position', 'space', 'asked_as', 'bytes'])
    .where(isInRange('run_events', scope, range))
    // Within one run both orders are the same, and this one uses the index of its log.
    .orderBy(scope.kind === 'run' ? 'sequence' : 'feed_position')
    .limit(limit + 1);
  const column = { run: 'run_id', agent: 'asked_as' } as const;
  const inOrder =
    scope.kind === 'run' || scope.kind === 'agent'
      ? inScope.where(column[scope.kind], '=', toText(scope.id))
      : inScope;
  const { rows, more } = await withinBytes(db, inOrder, limit, bytes);
  const entries = rows.map(({ feed_position, space, asked_as, ...event }) => ({
    position: Number(feed_position),
    space,
    created_by: asked_as,
    owner: null,
    guarded: null,
    event: asHashed(event),
  }));
  return { rows: entries, more };
}
