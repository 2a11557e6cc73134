import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/feed.js';
import { toText } from '../column-values.js';
import type { Part } from '../queries/bounded.js';
import type { Store } from '../schema.js';

/** A scope that has changes of questions: of every one, of a space, or of those that one principal asked. */
export type QuestionScope = Extract<
  FeedScope,
  { readonly kind: 'everything' | 'questions' | 'questions_of' }
>;

/**
 * The changes of questions in a range of the feed, in its order. A question has one place, that of its latest change:
 * whoever reads on after any position learns of every question that has changed since. Pauses have none.
 */
export async function readQuestions(
  db: Store,
  scope: QuestionScope,
  { after, upTo, limit }: FeedRange,
): Promise<Part<FeedEntry>> {
  const stretch = db
    .selectFrom('suspensions')
    .select(['id', 'state', 'change', 'space', 'asked_by', 'feed_position'])
    .where('feed_position', '>', String(after))
    .where('feed_position', '<=', String(upTo));
  const inSpace =
    scope.kind === 'everything' ? stretch : stretch.where('space', '=', toText(scope.space));
  const ofScope =
    scope.kind === 'questions_of' ? inSpace.where('asked_by', '=', toText(scope.id)) : inSpace;
  const rows = await ofScope
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
