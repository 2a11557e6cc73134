import type { IntentErasure } from '../../contracts/log/erasure.js';
import { OrderedQueue } from '../engine/queue.js';
import { trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { forgetSignal } from '../suspension/messages.js';

/** What outlives a run. */
export interface CarriedErasure {
  readonly erasure?: IntentErasure;
  /** Settled questions that may not have heard of it. */
  readonly forgetting?: readonly string[];
}

/** The latest erasure of an intent. It tells settled questions whose workflows still live to forget as well. */
export class Erasures extends OrderedQueue<string> {
  private latest: IntentErasure | undefined;

  constructor({ erasure, forgetting }: CarriedErasure = {}) {
    super(forgetting);
    this.latest = erasure;
  }

  get current(): IntentErasure | undefined {
    return this.latest;
  }

  get handedOver(): CarriedErasure {
    if (this.latest === undefined) return {};
    const { carried } = this;
    return { erasure: this.latest, ...(carried.length > 0 && { forgetting: carried }) };
  }

  take(erasure: IntentErasure, questions: readonly string[]): void {
    this.latest = erasure;
    this.add(...questions);
  }

  /** Most of them ended long ago, and are not there to take it. */
  protected override async deliver([suspensionId]: readonly string[]): Promise<void> {
    if (suspensionId === undefined || this.latest === undefined) return;
    await trySignal(peerIdOf('suspension', suspensionId), forgetSignal, this.latest.erased_at);
  }
}
