import type { IntentEvent } from '../contracts/event.js';
import type { RunEvent } from '../contracts/run-event.js';
import type { Connection } from './connection.js';
import { pathOf } from './connection.js';
import type { StreamFrame } from './http.js';
import { mayRepeat, pauseBeforeRetry } from './retry.js';

/** An event of an intent, as the key may read it (`masked` tells that an id in it was shortened), or of a run. */
export type SeenEvent = (IntentEvent & { readonly masked?: true }) | RunEvent;

/** An event and its id, after which another subscription goes on. */
export interface FeedItem {
  readonly id: string;
  readonly event: SeenEvent;
}

/** Whose events are wanted: one intent's or run's, an agent's, a portfolio's, or, with none of them, all. */
export interface SubscribeOptions {
  readonly intent_id?: string | undefined;
  /** Of a run whose approvals belong to no intent; not for agents. */
  readonly run_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly portfolio_id?: string | undefined;
  /** The id after which to begin, `'0'` for all there is; without it with what happens from now on. */
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
 * Events as they come, without an end. A connection that is lost is made again and goes on where it was:
 * nothing is lost, and nothing comes twice. Who takes longer than the server keeps is reconnected, too.
 * Throws HoldpointError if the server refuses, TypeError if two topics are named, and the signal's
 * reason if it is aborted.
 */
export async function* subscribe(
  connection: Connection,
  options: SubscribeOptions,
): AsyncGenerator<FeedItem, never> {
  const frames = framesOf(connection, pathOfTopic(options), options);
  try {
    for (;;) {
      const { id, data } = (await frames.next()).value;
      yield { id, event: JSON.parse(data) as SeenEvent };
    }
  } finally {
    await frames.return(undefined as never);
  }
}

/** A frame, and the id after which another stream goes on. */
interface IdentifiedFrame extends StreamFrame {
  readonly id: string;
}

/** The frames of a stream, without an end; it is opened again where it broke. Throws as `subscribe` does. */
export async function* framesOf(
  connection: Connection,
  path: string,
  { last_event_id, signal }: Pick<SubscribeOptions, 'last_event_id' | 'signal'>,
): AsyncGenerator<IdentifiedFrame, never> {
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
          yield { ...frame, id: lastId };
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayRepeat(error, 'always')) throw error;
      // A stream that had begun and broke says nothing of the address.
      if (failures > 0) connection.sayAway(error);
      failure = error;
    }
    await connection.timers.pause(pauseBeforeRetry(Math.max(1, failures), failure), signal);
  }
}
