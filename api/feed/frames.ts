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

/** Many read the same entry. */
const made = new WeakMap<FeedEntry, Frames>();

function frame({ position, event }: FeedEntry, data: unknown): string {
  const type = event.event_type.replaceAll(/[\r\n]/g, ' ');
  return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** How a reader gets the feed. */
export interface FrameWriter {
  /** What a stream begins with, for a reader who has everything up to a position. */
  readonly opening: (position: number) => string;
  /** An entry; empty where this reader gets nothing of it. */
  readonly entry: (entry: FeedEntry) => string;
}

/** Every event as the lists show it to the caller. */
export function eventFrames(caller: Caller): FrameWriter {
  return { opening: openingFrame, entry: (entry) => frameOf(caller, entry) };
}

function frameOf(caller: Caller, entry: FeedEntry): string {
  const frames = made.get(entry) ?? {};
  made.set(entry, frames);
  if (seesQuestions(caller, entry.owner)) return (frames.whole ??= frame(entry, entry.event));
  return (frames.masked ??= frame(entry, maskedEvent(entry.event)));
}

/** A frame without an event: a client that comes again with this id gets all that comes after it. */
function positionFrame(position: number): string {
  return `id: ${position}\n\n`;
}

function openingFrame(position: number): string {
  return `retry: ${RETRY_MS}\n${positionFrame(position)}`;
}

/** A sign of life; it carries how far the reader has come where that is known. */
export function beatFrame(position: number | undefined): string {
  return `: alive\n${position === undefined ? '\n' : positionFrame(position)}`;
}
