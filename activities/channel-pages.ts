import { Context, heartbeat } from '@temporalio/activity';
import { setTimeout as pause } from 'node:timers/promises';
import pMap from 'p-map';
import type { FollowUpTiming } from './dependencies.js';

/** How many messages of a channel are updated at once. A channel may not answer, so the number is small. */
const AT_ONCE = 8;
const BEGIN_WITHIN_MS = 5_000;

interface Page {
  readonly begun: number;
  readonly work: Promise<void>;
}

/** The pages of messages under way, one per channel, so that a channel that does not answer delays no other. */
class ChannelPages<Message extends { readonly channel: string }> {
  readonly #tell: (message: Message) => Promise<void>;
  readonly #busy = new Map<string, Page>();
  readonly #failures: unknown[] = [];

  constructor(tell: (message: Message) => Promise<void>) {
    this.#tell = tell;
  }

  get busy(): readonly string[] {
    return [...this.#busy.keys()];
  }

  /** Whether a page is under way that began before `than`, an instant of `performance.now()`. */
  hasOlder(than: number): boolean {
    return [...this.#busy.values()].some(({ begun }) => begun < than);
  }

  /** Begins a page for each channel that is not busy; returns whether any began. */
  begin(messages: readonly Message[]): boolean {
    const free = messages.filter(({ channel }) => !this.#busy.has(channel));
    for (const channel of new Set(free.map((message) => message.channel))) {
      const page = free.filter((message) => message.channel === channel);
      const begun = performance.now();
      this.#busy.set(channel, { begun, work: this.#work(channel, page, begun) });
    }
    return free.length > 0;
  }

  /** Each resolves once its page is done. */
  get works(): readonly Promise<void>[] {
    return [...this.#busy.values()].map(({ work }) => work);
  }

  /** Throws the first error that could not be noted. */
  throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #work(channel: string, page: readonly Message[], begun: number): Promise<void> {
    const isOver = (index: number): boolean =>
      this.#failures.length > 0 ||
      (index >= AT_ONCE && performance.now() - begun > BEGIN_WITHIN_MS);
    const tell = async (message: Message, index: number): Promise<void> => {
      if (!isOver(index)) await this.#tell(message);
    };
    try {
      await pMap(page, tell, { concurrency: AT_ONCE });
    } catch (error) {
      this.#failures.push(error);
    } finally {
      this.#busy.delete(channel);
    }
  }
}

/**
 * Updates messages page by page for some time; throws what could not be noted.
 *
 * @param due - returns the due messages, without those of these channels
 */
export async function workByPages<Message extends { readonly channel: string }>(
  { patienceMs, lookMs, heartbeatMs }: FollowUpTiming,
  due: (except: readonly string[]) => Promise<readonly Message[]>,
  tell: (message: Message) => Promise<void>,
): Promise<void> {
  const { cancelled, cancellationSignal: signal } = Context.current();
  const until = performance.now() + patienceMs;
  const pages = new ChannelPages(tell);
  const beat = setInterval(() => heartbeat(), heartbeatMs);
  try {
    do {
      const isNew = pages.begin(await due(pages.busy));
      if (!isNew) await Promise.race([cancelled, pause(lookMs), ...pages.works]);
      pages.throwFailure();
      signal.throwIfAborted();
    } while (performance.now() < until || pages.hasOlder(until));
    await Promise.race([cancelled, Promise.all(pages.works)]);
    pages.throwFailure();
  } finally {
    clearInterval(beat);
  }
}
