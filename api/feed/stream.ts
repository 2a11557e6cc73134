import type { Response } from 'express';
import { once } from 'node:events';
import type { FeedEntry, FeedScope } from '../../contracts/subscription/feed.js';
import { isPermanent } from '../../store/failures.js';
import type { Taker } from '../../store/feed/followers.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { RefusalError, standardRefusal } from '../errors.js';
import { beatFrame } from './frames.js';
import type { FrameWriter } from './frames.js';

const HEARTBEAT_MS = 15_000;

/** One reader, and its scope of the feed. */
export interface Subscription {
  readonly res: Response;
  readonly frames: FrameWriter;
  readonly scope: FeedScope;
  /** The position of the last event that the reader has; if undefined, the stream begins now. */
  readonly after: number | undefined;
  /** Fires when the reader goes away or the server stops. */
  readonly gone: AbortSignal;
  readonly heartbeatMs?: number;
}

/** The most missed changes that a returning reader is sent; if it missed more, it reads anew. */
const MOST_MISSED = 1_000;

/**
 * Sends a scope of the feed as Server-Sent Events until the reader goes or the server stops.
 *
 * @throws RefusalError before anything was sent: `store_unavailable`, or `invalid_request` for a position that the feed has
 *   not reached
 */
export async function sendFeed(hub: FeedHub, subscription: Subscription): Promise<void> {
  await fromStore(() => hub.join());
  try {
    await send(hub, subscription, await startOf(hub, subscription));
  } finally {
    hub.leave();
  }
}

/** The position at which a stream begins, and whether its reader has to read anew. */
interface Start {
  readonly after: number;
  readonly isReset: boolean;
}

async function startOf(hub: FeedHub, { after, scope, frames }: Subscription): Promise<Start> {
  if (after === undefined) return { after: hub.position, isReset: false };
  if (frames.reset === undefined) {
    await checkPosition(hub, after);
    return { after, isReset: false };
  }
  const canGoOn = await fromStore(
    async () => (await hub.mayHave(after)) && !(await hub.hasMoreThan(MOST_MISSED, scope, after)),
  );
  return canGoOn ? { after, isReset: false } : { after: hub.position, isReset: true };
}

async function send(
  hub: FeedHub,
  subscription: Subscription,
  { after, isReset }: Start,
): Promise<void> {
  const { res, frames, scope, gone, heartbeatMs = HEARTBEAT_MS } = subscription;
  open(res, after, frames);
  if (isReset) res.write(frames.reset?.(after));
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  const taker = new SseTaker(res, frames, gone, after);
  let end: (() => void) | undefined;
  const beat = (): void => taker.beat(end ? Math.max(taker.from, hub.position) : undefined);
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
    // Otherwise proxies would collect frames before they pass them on.
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  res.write(frames.opening(after));
}

async function checkPosition(hub: FeedHub, after: number): Promise<void> {
  if (await fromStore(() => hub.mayHave(after))) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'The feed has not reached this id yet.',
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

/** Turns a failure of the store into a refusal. A permanent one is a defect and stays as it is. */
function unavailable(cause: unknown): unknown {
  if (isPermanent(cause)) return cause;
  return standardRefusal('store_unavailable', {}, { cause });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** The most bytes that may wait for a reader, unless a single frame is larger. A reader with more is too slow. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * Writes Server-Sent Events to one reader. A slow reader is cut off: it reconnects with the id of the last frame that it has,
 * so it loses nothing and holds up nobody.
 */
export class SseTaker implements Taker {
  private readonly res: Response;
  private readonly frames: Pick<FrameWriter, 'entry' | 'wentBack'>;
  private readonly gone: AbortSignal;
  /** Where the reader began, or went back to. */
  from: number;
  private waited = false;
  /** Bytes that were written and that the socket has not sent yet. */
  private queued = 0;

  constructor(
    res: Response,
    frames: Pick<FrameWriter, 'entry' | 'wentBack'>,
    gone: AbortSignal,
    from: number,
  ) {
    this.res = res;
    this.frames = frames;
    this.gone = gone;
    this.from = from;
  }

  async take(entries: readonly FeedEntry[]): Promise<void> {
    for (const entry of entries) {
      this.gone.throwIfAborted();
      const frame = this.frames.entry(entry);
      if (frame !== '' && !this.res.write(frame))
        await once(this.res, 'drain', { signal: this.gone });
    }
  }

  deliver(entries: readonly FeedEntry[]): void {
    for (const entry of entries) {
      if (this.gone.aborted || this.res.destroyed) return;
      const frame = this.frames.entry(entry);
      if (frame !== '') this.enqueue(frame);
    }
  }

  /** What the reader has had after a position is lost; later events come under the same numbers. */
  wentBack(to: number): void {
    this.from = Math.min(this.from, to);
    const frame = this.frames.wentBack(to);
    if (frame !== '' && !this.gone.aborted && !this.res.destroyed) this.enqueue(frame);
  }

  /** Writes a frame, or cuts the reader off if too many bytes would wait. */
  private enqueue(frame: string): void {
    const bytes = Buffer.byteLength(frame);
    if (this.queued > 0 && this.queued + bytes > BUFFER_BYTES) {
      this.res.destroy();
      return;
    }
    this.queued += bytes;
    this.res.write(frame, () => {
      this.queued -= bytes;
    });
  }

  /** Sends a heartbeat, or cuts the reader off if it has taken nothing since the last one. */
  beat(position: number | undefined): void {
    if (this.gone.aborted) return;
    const waits = this.res.writableNeedDrain;
    if (waits && this.waited) this.res.destroy();
    else if (!waits) this.res.write(beatFrame(position));
    this.waited = waits;
  }
}
