import { condition } from '@temporalio/workflow';
import type { WithdrawnPart } from '../../contracts/approval/approval.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import { endReason } from '../../domain/intent/entity.js';
import { observingIntents } from '../engine/observing.js';
import type { Observing } from '../engine/observing.js';

/** Ties an approval to its intent, which tells it of its end. It does nothing for an approval without one. */
export class IntentTie {
  readonly observing: Observing<Announcement>;
  private readonly intentId: string | null;
  private readonly ended: (reason: WithdrawnPart['reason']) => void;

  /** Each run asks again, for its intent drops it if it was between two runs. */
  constructor(intentId: string | null, ended: (reason: WithdrawnPart['reason']) => void) {
    this.intentId = intentId;
    this.ended = ended;
    this.observing = observingIntents((end) => this.hear(end));
    if (intentId !== null) this.observing.observe(intentId);
  }

  /** Whether its intent has taken in that it is there, or is known to have ended. */
  get isKnown(): boolean {
    return this.observing.carried.length === 0;
  }

  hear({ intent_id, status }: Announcement): void {
    const reason = endReason(status);
    if (reason !== undefined && intent_id === this.intentId) this.ended(reason);
  }

  /** Tells its intent that it needs no more news: an intent that closes waits for that. */
  leave(): void {
    if (this.intentId !== null) this.observing.unobserve(this.intentId);
  }

  /** Resolves once its intent no longer keeps it. */
  async left(): Promise<void> {
    this.leave();
    await condition(() => this.isKnown);
  }
}
