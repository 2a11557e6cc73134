import type { Reader } from '../../contracts/intent/access.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { mayAll } from '../../domain/policy/authorize.js';
import { maskedEvent } from '../../domain/intent/masked-event.js';
import {
  isQuestionChange,
  isRunEvent,
  type FeedEntry,
  type FeedScope,
} from '../../contracts/subscription/feed.js';
import type { IntentEvent, RunEvent } from '../../contracts/intent/event.js';
import type { SuspensionChange } from '../../contracts/suspension/view.js';
import type { Caller } from '../parts/caller.js';
import { seesQuestions } from '../usecases/visibility.js';
import type { Response } from 'express';
import { once } from 'node:events';
import { isPermanent } from '../../store/failures.js';
import type { Taker } from '../../store/feed/followers.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { RefusalError, standardRefusal } from '../errors.js';

/** The time that a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

interface Frames {
  whole?: string;
  masked?: string;
}

/** Frames by entry, because many readers get the same ones. */
const made = new WeakMap<FeedEntry, Frames>();

export function frame(position: number, name: string, data: unknown): string {
  const type = name.replaceAll(/[\r\n]/g, ' ');
  return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export interface FrameWriter {
  /** The first frame of a stream, for a reader who has everything up to a position. */
  readonly opening: (position: number) => string;
  /** An entry; empty if this reader gets no frame of it. */
  readonly entry: (entry: FeedEntry) => string;
  /**
   * Sends the frame by which a reader that missed too much reads the lists anew; from then on it has everything up to
   * a position. Without this, a reader ahead of the feed is refused.
   */
  readonly reset?: (position: number) => string;
  /** Tells a reader that the store has lost what came after a position, so that what it has read since may be gone. */
  readonly wentBack: (position: number) => string;
}

/** Writes every event that the reader may read, in the form of the lists. */
export function eventFrames(caller: Caller, reader: Reader | undefined): FrameWriter {
  const readsRuns = mayAll(caller, 'listRunEvents');
  const entry = (one: FeedEntry) => {
    const { event, guarded } = one;
    if (isQuestionChange(event)) return '';
    const reads = isRunEvent(event) ? readsRuns : mayRead(reader, guarded, Date.now());
    return reads ? frameOf(caller, one, event) : '';
  };
  return { opening: openingFrame, entry, wentBack: resetFrame };
}

function frameOf(caller: Caller, entry: FeedEntry, event: IntentEvent | RunEvent): string {
  const { position, owner } = entry;
  const { event_type } = event;
  const frames = framesOf(entry);
  if (isRunEvent(event) || seesQuestions(caller, owner))
    return (frames.whole ??= frame(position, event_type, event));
  return (frames.masked ??= frame(position, event_type, maskedEvent(event)));
}

function framesOf(entry: FeedEntry): Frames {
  const frames = made.get(entry) ?? {};
  made.set(entry, frames);
  return frames;
}

/** Writes changes of questions. A reader that was away for long gets a frame by which it reads the list anew. */
export const QUESTION_FRAMES: FrameWriter = {
  opening: openingFrame,
  entry(entry) {
    const { position, event } = entry;
    if (!isQuestionChange(event)) return '';
    const { suspension_id: id, state, change } = event;
    const data: SuspensionChange = { id, state, change };
    return (framesOf(entry).whole ??= frame(position, 'suspension', data));
  },
  reset: resetFrame,
  wentBack: resetFrame,
};

function resetFrame(position: number): string {
  return frame(position, 'reset', {});
}

/** Returns a frame without an event: a client that comes again with this id gets everything after it. */
function positionFrame(position: number): string {
  return `id: ${position}\n\n`;
}

function openingFrame(position: number): string {
  return `retry: ${RETRY_MS}\n${positionFrame(position)}`;
}

/** Returns a heartbeat, with the position of the reader if that is known. */
function beatFrame(position: number | undefined): string {
  return `: alive\n${position === undefined ? '\n' : positionFrame(position)}`;
}

const HEARTBEAT_MS = 15_000;

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
  /** The position at which the reader began, or to which it went back. */
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

  /** Notes that the events after a position are lost; later events reuse their numbers. */
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
