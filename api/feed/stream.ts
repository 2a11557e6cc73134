import type { Response } from 'express';
import { once } from 'node:events';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { FeedEntry, FeedScope } from '../../contracts/feed.js';
import { isPermanent } from '../../store/failures.js';
import type { FeedHub, Taker } from '../../store/feed/hub.js';
import { RefusalError } from '../errors.js';
import { beatFrame } from './frames.js';
import type { FrameWriter } from './frames.js';

const HEARTBEAT_MS = 15_000;

/** Who reads what of the feed. */
export interface Subscription {
  readonly res: Response;
  readonly frames: FrameWriter;
  readonly scope: FeedScope;
  /** The position of the last event that the reader has; from now on if it is undefined. */
  readonly after: number | undefined;
  /** Fires when the reader goes away or the server stops. */
  readonly gone: AbortSignal;
  readonly heartbeatMs?: number;
}

/** So many changes a reader is told that comes back; one that has missed more reads anew. */
const MOST_MISSED = 1_000;

/**
 * Sends a scope of the feed as Server-Sent Events until the reader goes or the server stops.
 *
 * @throws RefusalError before anything was sent: `store_unavailable`, or `invalid_request` for a
 *   position that the feed cannot have reached
 */
export async function sendFeed(hub: FeedHub, subscription: Subscription): Promise<void> {
  await fromStore(() => hub.join());
  try {
    await send(hub, subscription, await startOf(hub, subscription));
  } finally {
    hub.leave();
  }
}

/** Where a stream begins, and whether its reader has to read anew. */
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

/** What a failure of the store becomes; one that would come again is a defect, and stays what it is. */
function unavailable(cause: unknown): unknown {
  if (isPermanent(cause)) return cause;
  const [, , detail] = ERRORS.store_unavailable;
  return new RefusalError({ code: 'store_unavailable', detail }, { cause });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** How many bytes may wait for a reader; a single frame may be larger. A reader with more is too slow. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * A reader of Server-Sent Events. A reader that is too slow is cut off. It reconnects with the id of the last
 * frame that it has, so it loses nothing and holds up nobody.
 */
export class SseTaker implements Taker {
  private readonly res: Response;
  private readonly frames: Pick<FrameWriter, 'entry'>;
  private readonly gone: AbortSignal;
  private waited = false;
  /** Bytes that were written and that the socket has not taken yet. */
  private queued = 0;

  constructor(res: Response, frames: Pick<FrameWriter, 'entry'>, gone: AbortSignal) {
    this.res = res;
    this.frames = frames;
    this.gone = gone;
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

  /** Writes a frame, or cuts the reader off if more would wait than may. */
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

  /** Sends a heartbeat; a reader that has taken nothing since the one before is cut off. */
  beat(position: number | undefined): void {
    if (this.gone.aborted) return;
    const waits = this.res.writableNeedDrain;
    if (waits && this.waited) this.res.destroy();
    else if (!waits) this.res.write(beatFrame(position));
    this.waited = waits;
  }
}
