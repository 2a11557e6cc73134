import type { FeedEvent } from '../../contracts/feed.js';
import type { RunEvent } from '../../contracts/run-event.js';

/** Whether an event is of the log of a run, and so of no intent. */
export function isRunEvent(event: FeedEvent): event is RunEvent {
  return 'run_id' in event;
}
