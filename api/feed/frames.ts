import type { Reader } from '../../contracts/intent/access.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { mayAll } from '../../domain/policy/authorize.js';
import { maskedEvent } from '../../domain/intent/masked-event.js';
import { isQuestionChange, isRunEvent } from '../../contracts/subscription/feed.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { FeedEntry } from '../../contracts/subscription/feed.js';
import type { RunEvent } from '../../contracts/intent/run-event.js';
import type { SuspensionChange } from '../../contracts/suspension/view.js';
import type { Caller } from '../parts/caller.js';
import { seesQuestions } from '../usecases/visibility.js';

/** The time that a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

interface Frames {
  whole?: string;
  masked?: string;
}

/** Frames by entry, because many readers get the same ones. */
const made = new WeakMap<FeedEntry, Frames>();

/** Returns one frame of an event stream. */
export function frame(position: number, name: string, data: unknown): string {
  const type = name.replaceAll(/[\r\n]/g, ' ');
  return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Writes the feed for one reader. */
export interface FrameWriter {
  /** The first frame of a stream, for a reader who has everything up to a position. */
  readonly opening: (position: number) => string;
  /** An entry; empty if this reader gets no frame of it. */
  readonly entry: (entry: FeedEntry) => string;
  /**
   * Tells a reader that missed too much to read anew; from then on it has everything up to a position. Without this, a reader
   * gets everything after its position, and is refused if that is ahead of the feed.
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

/** Writes changes of questions. A reader that was away for long is told to read anew. */
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
export function beatFrame(position: number | undefined): string {
  return `: alive\n${position === undefined ? '\n' : positionFrame(position)}`;
}
