import { once } from 'node:events';
import type { Response } from 'express';
import type { FeedEntry } from '../../store/queries/feed.js';
import { beatFrame } from './frames.js';
import type { FrameWriter } from './frames.js';
import type { Taker } from '../../store/feed/hub.js';

/** What may wait for a reader, besides what came last; beyond it the reader is too slow. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * A reader of Server-Sent Events. One that takes too little is cut off: it comes again with the id of
 * the last frame that it has, and so neither loses anything nor holds up another.
 */
export class SseTaker implements Taker {
  private readonly res: Response;
  private readonly frames: Pick<FrameWriter, 'entry'>;
  private readonly gone: AbortSignal;
  private waited = false;

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
    if (this.gone.aborted) return;
    const frames = entries.map((entry) => this.frames.entry(entry)).join('');
    if (frames === '') return;
    if (this.res.writableLength > BUFFER_BYTES) this.res.destroy();
    else this.res.write(frames);
  }

  /** Sends a sign of life; a reader that has taken nothing since the one before is cut off. */
  beat(position: number | undefined): void {
    if (this.gone.aborted) return;
    const waits = this.res.writableNeedDrain;
    if (waits && this.waited) this.res.destroy();
    else if (!waits) this.res.write(beatFrame(position));
    this.waited = waits;
  }
}
