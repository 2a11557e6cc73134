import type { InboxFilter, InboxSort, SuspensionChange } from '../contracts/suspension/view.js';
import type { Connection } from './connection.js';
import { readStream } from './subscribe.js';

/** A selection of questions; by default the most urgent open ones. */
export interface InboxQuery extends InboxFilter {
  readonly state?: 'pending' | 'settled' | undefined;
  readonly sort?: InboxSort | undefined;
  /** 50 by default, at most 200. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/**
 * News for a list of questions: a question has changed, or (`reset`) changes were missed and the list must be read again.
 * Another stream continues after `last_event_id`.
 */
export type InboxNews =
  | ({ readonly kind: 'suspension'; readonly last_event_id: string } & SuspensionChange)
  | { readonly kind: 'reset'; readonly last_event_id: string };

export interface FollowOptions {
  /** The id after which to begin; without it, the stream begins now. */
  readonly last_event_id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Yields changes of questions, without an end. Lost connections are made again. */
export async function* followInbox(
  connection: Connection,
  options: FollowOptions,
): AsyncGenerator<InboxNews, never> {
  return yield* readStream(connection, '/suspensions/subscribe', options, (frame): InboxNews[] => {
    const { id: last_event_id, event: kind, data } = frame;
    if (kind === 'reset') return [{ kind, last_event_id }];
    if (kind !== 'suspension') return [];
    return [{ kind, last_event_id, ...(JSON.parse(data) as SuspensionChange) }];
  });
}
