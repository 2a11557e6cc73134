import type { IntentEvent, RunEvent } from '../contracts/intent/event.js';
import { pathOf, type Connection } from './connection.js';
import type { StreamFrame } from './http.js';
import { mayRepeat, pauseBeforeRetry } from './retry.js';

/** An event of a run, or of an intent as the key may read it (`masked` if an id in it was shortened). */
export type SeenEvent = (IntentEvent & { readonly masked?: true }) | RunEvent;

/** An event, and the id after which another subscription continues. */
export interface FeedItem {
  readonly id: string;
  readonly event: SeenEvent;
}

/** The events of one intent, run, agent or portfolio; all events if none is named. */
export interface SubscribeOptions {
  readonly intent_id?: string | undefined;
  /** A run whose approvals belong to no intent; not for agents. */
  readonly run_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly portfolio_id?: string | undefined;
  /** The id after which to begin, `'0'` for all events; without it, the stream begins now. */
  readonly last_event_id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

function pathOfTopic({ intent_id, run_id, agent_id, portfolio_id }: SubscribeOptions): string {
  const topics = [
    ['intents', intent_id],
    ['runs', run_id],
    ['agents', agent_id],
    ['portfolios', portfolio_id],
  ] as const;
  const [topic, ...others] = topics.flatMap(([collection, id]) =>
    id === undefined ? [] : [pathOf(collection, id, '/subscribe')],
  );
  if (others.length > 0)
    throw new TypeError('Subscribe to one of intent, run, agent and portfolio.');
  return topic ?? '/subscribe';
}

/**
 * Yields events without an end. After a lost connection, or to a reader slower than the server's buffer, it continues
 * where it was: nothing is lost, and nothing comes twice. Throws HoldpointError if the server refuses, TypeError if
 * two topics are named, and the signal's reason if it is aborted.
 */
export async function* subscribe(
  connection: Connection,
  options: SubscribeOptions,
): AsyncGenerator<FeedItem, never> {
  return yield* readStream(connection, pathOfTopic(options), options, ({ id, event, data }) =>
    // The server's store has lost events: later ones repeat lower ids, which are kept for the next connection.
    event === 'reset' ? [] : [{ id, event: JSON.parse(data) as SeenEvent }],
  );
}

/** A frame, and the id after which another stream continues. */
interface IdentifiedFrame extends StreamFrame {
  readonly id: string;
}

/** Yields the results of `read` for each frame of a stream, and reopens a broken stream. Throws as `subscribe`. */
export async function* readStream<T>(
  connection: Connection,
  path: string,
  { last_event_id, signal }: Pick<SubscribeOptions, 'last_event_id' | 'signal'>,
  read: (frame: IdentifiedFrame) => readonly T[],
): AsyncGenerator<T, never> {
  let lastId = last_event_id;
  for (let failures = 1; ; failures += 1) {
    let failure: unknown;
    try {
      const stream = await connection.stream(path, lastId, signal);
      failures = 0;
      lastId = stream.position;
      for await (const frames of stream.batches) {
        for (const frame of frames) {
          lastId = frame.id ?? lastId;
          yield* read({ ...frame, id: lastId });
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayRepeat(error, 'always')) throw error;
      // A stream that broke after it had begun does not mean a wrong address.
      if (failures > 0) connection.sayAway(error);
      failure = error;
    }
    await connection.timers.pause(pauseBeforeRetry(Math.max(1, failures), failure), signal);
  }
}
