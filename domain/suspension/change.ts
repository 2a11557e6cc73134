import type { FeedEvent, QuestionChange } from '../../contracts/feed.js';

/** Whether an entry of the feed tells that a question has changed, and is no event of a log. */
export function isQuestionChange(event: FeedEvent): event is QuestionChange {
  return 'change' in event;
}
