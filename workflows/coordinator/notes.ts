import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { IntentNote } from '../../contracts/intent.js';
import type { Sender } from '../engine/outbox.js';

const { noteIntent } = proxyActivities<Pick<Activities, 'noteIntent'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
  cancellationType: 'TRY_CANCEL',
  summary: 'append to the log of an intent',
});

/** Appends to logs of intents, one after the other, each tried for ever. */
export class Notes implements Sender {
  private readonly waiting: IntentNote[];
  private readonly scope = new CancellationScope({ cancellable: true });
  private sending = false;
  private stopped = false;

  constructor(carried: readonly IntentNote[] = []) {
    this.waiting = [...carried];
  }

  get carried(): readonly IntentNote[] {
    return this.waiting;
  }

  add(note: IntentNote): void {
    this.waiting.push(note);
  }

  get due(): boolean {
    return !this.stopped && !this.sending && this.waiting.length > 0;
  }

  send(): void {
    const [note] = this.waiting;
    if (note) void this.scope.run(() => this.append(note));
  }

  /** Resolves once all is appended. */
  async sent(): Promise<void> {
    await condition(() => this.waiting.length === 0);
  }

  /** Gives up what is under way; it is sent again by who takes over `carried`. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.scope.cancel();
    await condition(() => !this.sending);
  }

  private async append(note: IntentNote): Promise<void> {
    this.sending = true;
    try {
      await noteIntent(note);
      this.waiting.shift();
    } catch (error) {
      if (!this.stopped || !isCancellation(error)) throw error;
    } finally {
      this.sending = false;
    }
  }
}
