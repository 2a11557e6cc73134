import type { Intent, IntentStatus } from '../../contracts/intent.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { askedAt, type LatestQuestion } from '../../domain/graph/announcement.js';

/** What outlives a run. */
export interface CarriedWaiting {
  /** The latest question, open or not. */
  readonly question?: LatestQuestion;
  /** Since when the intent is suspended; absent while it is not. */
  readonly suspended_since?: string;
}

/**
 * Since when an intent waits for an operator, and for what. The instants are the server's own: what an agent
 * writes of them into a record that it puts itself is read off another clock.
 */
export class Waiting {
  private question: LatestQuestion | undefined;
  private opened: string | undefined;

  constructor(intent: Intent, carried: CarriedWaiting = {}) {
    this.question = carried.question;
    const isSuspended = intent.status === 'suspended_awaiting_input';
    this.opened = carried.suspended_since ?? (isSuspended ? askedAt(intent) : undefined);
  }

  /** Since when the intent is suspended; undefined while it is not. */
  get since(): string | undefined {
    return this.opened;
  }

  get carried(): CarriedWaiting {
    return {
      ...(this.question && { question: this.question }),
      ...(this.opened !== undefined && { suspended_since: this.opened }),
    };
  }

  /** Follows a change of status; returns since when the intent was suspended where it goes on by it. */
  moved(before: IntentStatus, { status, updated_at }: Intent): string | undefined {
    const [was, is] = [before, status].map((one) => one === 'suspended_awaiting_input');
    const since = this.opened;
    if (was !== is) this.opened = is ? updated_at : undefined;
    return was && !is ? since : undefined;
  }

  /** A question is open from now on, with its first attempt. */
  asked({ id: suspension_id, suspended_at, expires_at }: SuspensionRecord): void {
    const since = this.opened ?? suspended_at;
    const ends = expires_at ?? null;
    this.question = { suspension_id, attempt: 1, suspended_at: since, expires_at: ends };
  }

  /** The attempt of that question that is current. */
  reached(attempt: number): void {
    if (this.question) this.question = { ...this.question, attempt };
  }
}
