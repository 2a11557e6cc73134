import type { Me } from '../contracts/me.js';
import type {
  Blocked,
  InboxCounts,
  InboxFilter,
  InboxPage,
  InboxSort,
  SuspensionChange,
} from '../contracts/suspension-view.js';
import type { Connection, ReadOptions } from './connection.js';
import { pathOf } from './connection.js';
import { isObject, listIn, unexpected } from './reply.js';
import { framesOf } from './subscribe.js';

/** Which questions are wanted: the most urgent open ones unless given. */
export interface InboxQuery extends InboxFilter {
  readonly state?: 'pending' | 'settled' | undefined;
  readonly sort?: InboxSort | undefined;
  /** 50 unless given, at most 200. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/**
 * What a page of questions has to know: that a question has changed, or (`reset`) that changes were missed and the list is
 * to be read anew. `last_event_id` is where another stream goes on.
 */
export type InboxNews =
  | ({ readonly kind: 'suspension'; readonly last_event_id: string } & SuspensionChange)
  | { readonly kind: 'reset'; readonly last_event_id: string };

export interface FollowOptions {
  /** The id after which to begin; from now on without it. */
  readonly last_event_id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whom the key or token stands for, and what it may do. */
export async function readMe(connection: Connection, options: ReadOptions = {}): Promise<Me> {
  const me = await connection.read<unknown>('/me', {}, options);
  if (isObject(me) && Array.isArray(me['may'])) return me as unknown as Me;
  throw unexpected('who calls');
}

/** A page of questions. */
export async function listInbox(
  connection: Connection,
  query: InboxQuery,
  options: ReadOptions = {},
): Promise<InboxPage> {
  const page = await connection.read<unknown>('/suspensions', { ...query }, options);
  if (isObject(page) && Array.isArray(page['suspensions'])) return page as unknown as InboxPage;
  throw unexpected('a page of questions');
}

/** How many questions a filter finds. */
export async function countInbox(
  connection: Connection,
  filter: InboxFilter,
): Promise<InboxCounts> {
  return connection.read('/suspensions/counts', { ...filter });
}

/** What waits for the answer to a question. */
export async function listBlocked(
  connection: Connection,
  suspensionId: string,
): Promise<readonly Blocked[]> {
  const body = await connection.read<unknown>(pathOf('suspensions', suspensionId, '/blocks'));
  return listIn(body, 'blocks') as readonly Blocked[];
}

/** Which questions change, without an end; connections that are lost are made again. */
export async function* followInbox(
  connection: Connection,
  options: FollowOptions,
): AsyncGenerator<InboxNews, never> {
  const frames = framesOf(connection, '/suspensions/subscribe', options);
  try {
    for (;;) {
      const { id: last_event_id, event, data } = (await frames.next()).value;
      if (event === 'reset') yield { kind: 'reset', last_event_id };
      if (event === 'suspension') {
        yield { kind: 'suspension', last_event_id, ...(JSON.parse(data) as SuspensionChange) };
      }
    }
  } finally {
    await frames.return(undefined as never);
  }
}
