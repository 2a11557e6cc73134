import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/feed.js';
import { toText } from '../column-values.js';
import { withinBytes } from '../queries/bounded.js';
import type { Part } from '../queries/bounded.js';
import { RUN_EVENT_COLUMNS, runEventOf } from '../queries/run-log.js';
import type { Store } from '../schema.js';

/** A scope that has events of runs: of every one, of a space, of one run, or of those that an agent asks in. */
type RunScope = Exclude<FeedScope, { readonly kind: 'intent' | 'portfolio' }>;

/** The events of runs in a range of the feed, in its order, as many as fit into a number of bytes, and at least one. */
export async function readRuns(
  db: Store,
  scope: RunScope,
  { after, upTo, limit }: FeedRange,
  bytes: number,
): Promise<Part<FeedEntry>> {
  const stretch = db
    .selectFrom('run_events')
    .select([...RUN_EVENT_COLUMNS, 'feed_position', 'space', 'asked_as', 'bytes'])
    .where('feed_position', '>', String(after))
    .where('feed_position', '<=', String(upTo));
  const inSpace =
    scope.kind === 'everything' ? stretch : stretch.where('space', '=', toText(scope.space));
  const ofScope =
    scope.kind === 'run'
      ? inSpace.where('run_id', '=', toText(scope.id))
      : scope.kind === 'agent'
        ? inSpace.where('asked_as', '=', toText(scope.id))
        : inSpace;
  const inOrder = ofScope
    // Within one run both orders are the same, and this one uses the index of its log.
    .orderBy(scope.kind === 'run' ? 'sequence' : 'feed_position')
    .limit(limit + 1);
  const { rows, more } = await withinBytes(db, inOrder, limit, bytes);
  const entries = rows.map(({ feed_position, space, asked_as, ...event }) => ({
    position: Number(feed_position),
    space,
    created_by: asked_as,
    owner: null,
    guarded: null,
    event: runEventOf(event),
  }));
  return { rows: entries, more };
}
