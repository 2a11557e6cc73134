import type { Reader } from '../../contracts/access.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { isRunEvent } from '../../domain/approval/run-event.js';
import { mayAll } from '../../domain/policy/authorize.js';
import { maskedEvent } from '../../domain/intent/masked-event.js';
import type { FeedEntry } from '../../contracts/feed.js';
import type { Caller } from '../gateway/caller.js';
import { seesQuestions } from '../operations/visibility.js';

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

interface Frames {
  whole?: string;
  masked?: string;
}

/** Frames by entry, because many readers get the same. */
const made = new WeakMap<FeedEntry, Frames>();

function frame({ position, event }: FeedEntry, data: unknown): string {
  const type = event.event_type.replaceAll(/[\r\n]/g, ' ');
  return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Writes the feed for one reader. */
export interface FrameWriter {
  /** The first frame of a stream, for a reader who has everything up to a position. */
  readonly opening: (position: number) => string;
  /** An entry; empty if this reader gets no frame of it. */
  readonly entry: (entry: FeedEntry) => string;
}

/** Every event that the reader may read, as the lists show it to the caller. */
export function eventFrames(caller: Caller, reader: Reader | undefined): FrameWriter {
  const readsRuns = mayAll(caller, 'listRunEvents');
  const entry = (one: FeedEntry) => {
    const reads = isRunEvent(one.event) ? readsRuns : mayRead(reader, one.guarded, Date.now());
    return reads ? frameOf(caller, one) : '';
  };
  return { opening: openingFrame, entry };
}

function frameOf(caller: Caller, entry: FeedEntry): string {
  const { event, owner } = entry;
  const frames = made.get(entry) ?? {};
  made.set(entry, frames);
  if (isRunEvent(event) || seesQuestions(caller, owner))
    return (frames.whole ??= frame(entry, event));
  return (frames.masked ??= frame(entry, maskedEvent(event)));
}

/** A frame without an event: a client that comes again with this id gets all that comes after it. */
function positionFrame(position: number): string {
  return `id: ${position}\n\n`;
}

function openingFrame(position: number): string {
  return `retry: ${RETRY_MS}\n${positionFrame(position)}`;
}

/** A heartbeat, with the position of the reader if that is known. */
export function beatFrame(position: number | undefined): string {
  return `: alive\n${position === undefined ? '\n' : positionFrame(position)}`;
}
