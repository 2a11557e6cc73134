import { isOverdue } from '../../domain/portfolio-members.js';
import { toMillis } from '../../domain/time.js';
import { now } from '../support/clock.js';
import { Expiry } from './expiry.js';
import type { Members } from './members.js';

/** What a deadline has done so far; outlives a run. */
export interface CarriedDeadline {
  /** The deadline that has come. */
  readonly reached?: string;
  /** The last that has come, also where another was set since. */
  readonly ended_by?: string;
  /** Members since after it had come; it is none of theirs. */
  readonly latecomers: readonly string[];
  /** Questions that it has still to end. */
  readonly overdue: readonly string[];
}

/** The deadline of a portfolio: it ends what is open when it comes, and nothing that comes after (R26-27). */
export class Deadline {
  readonly expiry: Expiry;
  private latecomers: Set<string>;
  private last: string | undefined;
  /** What is overdue still ends by it when the deadline is moved meanwhile. */
  private endedBy: string | undefined;

  constructor(portfolio_id: string, carried?: CarriedDeadline, batch?: number) {
    this.last = carried?.reached;
    this.endedBy = carried?.ended_by ?? carried?.reached;
    this.latecomers = new Set(carried?.latecomers);
    const due = () => ({ portfolio_id, deadline: this.endedBy ?? '' });
    this.expiry = new Expiry(due, carried?.overdue, batch);
  }

  get reached(): string | undefined {
    return this.last;
  }

  get carried(): CarriedDeadline {
    return {
      ...(this.last !== undefined && { reached: this.last }),
      ...(this.endedBy !== undefined && { ended_by: this.endedBy }),
      latecomers: [...this.latecomers],
      overdue: this.expiry.carried,
    };
  }

  /** The deadline is another one from now on, or there is none. */
  moved(): void {
    this.last = undefined;
    this.latecomers = new Set();
  }

  /** Whether a deadline comes now, by `at` (ms); it comes once. */
  comes(deadline: string | undefined, at: number): boolean {
    if (deadline === undefined || deadline === this.last || toMillis(deadline) > at) return false;
    this.last = deadline;
    this.endedBy = deadline;
    return true;
  }

  joined(intentId: string): void {
    if (this.last !== undefined) this.latecomers.add(intentId);
  }

  left(intentId: string): void {
    this.latecomers.delete(intentId);
  }

  /** Ends the open questions of all members, or of one, that are overdue. */
  endOverdue(members: Members, only?: string): void {
    const { last } = this;
    if (last === undefined) return;
    const at = now();
    const overdue = members.suspended((member) => isOverdue(member, last, at), only);
    for (const { intent_id, suspension_id } of overdue) {
      if (!this.latecomers.has(intent_id)) this.expiry.add(suspension_id);
    }
  }
}
