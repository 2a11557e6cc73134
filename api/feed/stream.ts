import { once } from 'node:events';
import type { Response } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { FeedScope } from '../../store/queries/feed.js';
import { RefusalError } from '../errors.js';
import type { FrameWriter } from './frames.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { SseTaker } from './sse-taker.js';

const HEARTBEAT_MS = 15_000;

/** Who reads what of the feed. */
export interface Subscription {
  readonly res: Response;
  readonly frames: FrameWriter;
  readonly scope: FeedScope;
  /** The position of the last event that the reader has; from now on where it is undefined. */
  readonly after: number | undefined;
  /** Fires when the reader goes away or the server stops. */
  readonly gone: AbortSignal;
  readonly heartbeatMs?: number;
}

/**
 * Sends a scope of the feed as Server-Sent Events until the reader goes or the server stops.
 *
 * @throws RefusalError before anything was sent: `store_unavailable`, or `invalid_request` for a
 *   position that the feed cannot have given
 */
export async function sendFeed(hub: FeedHub, subscription: Subscription): Promise<void> {
  await fromStore(() => hub.join());
  try {
    await checkPosition(hub, subscription.after);
    await send(hub, subscription);
  } finally {
    hub.leave();
  }
}

async function send(hub: FeedHub, subscription: Subscription): Promise<void> {
  const { res, frames, scope, gone, heartbeatMs = HEARTBEAT_MS } = subscription;
  const after = subscription.after ?? hub.position;
  open(res, after, frames);
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  const taker = new SseTaker(res, frames, gone);
  let end: (() => void) | undefined;
  const beat = (): void => taker.beat(end ? Math.max(after, hub.position) : undefined);
  const beats = setInterval(beat, heartbeatMs);
  try {
    end = await hub.follow(scope, after, taker);
    await aborted(gone);
  } catch (error) {
    if (!gone.aborted) throw unavailable(error);
  } finally {
    clearInterval(beats);
    end?.();
  }
  res.end();
}

function open(res: Response, after: number, frames: FrameWriter): void {
  res.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Holdpoint-Feed-Position': String(after),
    // Proxies would otherwise collect frames before they pass them on.
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  res.write(frames.opening(after));
}

async function checkPosition(hub: FeedHub, after: number | undefined): Promise<void> {
  if (after === undefined || (await fromStore(() => hub.mayHave(after)))) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'The feed has not come as far as this id.',
    field: 'Last-Event-ID',
    accepted: 'the id of a frame that this server has sent, or nothing',
  });
}

async function fromStore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): RefusalError {
  const [, , detail] = ERRORS.store_unavailable;
  return new RefusalError({ code: 'store_unavailable', detail }, { cause });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
