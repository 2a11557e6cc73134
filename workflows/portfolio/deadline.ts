import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { DeadlineBatch } from '../../contracts/portfolio/portfolio.js';
import { toMillis } from '../../domain/kernel/time.js';
import { isOverdue } from '../../domain/portfolio/members.js';
import { now } from '../engine/clock.js';
import { OrderedQueue } from '../engine/queue.js';
import { UNTIL_DONE, type Sender } from '../engine/sender.js';
import type { Members } from './members.js';

/** What a deadline has done so far; outlives a run. */
export interface CarriedDeadline {
  /** The deadline that has come. */
  readonly reached?: string;
  /** The last that has come, also if another was set since. */
  readonly ended_by?: string;
  /** Members that joined after it had come. It does not apply to them. */
  readonly latecomers: readonly string[];
  /** Questions that it has still to end. */
  readonly overdue: readonly string[];
  /** Intents, by id, whose wait for a question it has still to end. */
  readonly overdue_waits: readonly string[];
}

/** The deadline of a portfolio: it ends what is open when it comes, and nothing that comes after (R26-27). */
export class Deadline {
  private readonly expiry: Expiry;
  /** Ends waits for questions that have not come. */
  private readonly abandoning: Expiry;
  private latecomers: Set<string>;
  private last: string | undefined;
  /** Overdue questions end by it, also if the deadline is moved meanwhile. */
  private endedBy: string | undefined;

  constructor(portfolio_id: string, carried: CarriedDeadline | undefined, batch?: number) {
    this.last = carried?.reached;
    this.endedBy = carried?.ended_by;
    this.latecomers = new Set(carried?.latecomers);
    const due = () => ({ portfolio_id, deadline: this.endedBy ?? '' });
    const questions = (suspension_ids: readonly string[]) => ({ ...due(), suspension_ids });
    this.expiry = new Expiry(questions, carried?.overdue, batch);
    const waits = (intent_ids: readonly string[]) => ({
      ...due(),
      suspension_ids: [],
      intent_ids,
    });
    this.abandoning = new Expiry(waits, carried?.overdue_waits, batch);
  }

  get senders(): readonly Sender[] {
    return [this.expiry, this.abandoning];
  }

  get reached(): string | undefined {
    return this.last;
  }

  get carried(): CarriedDeadline {
    return {
      ...defined({ reached: this.last, ended_by: this.endedBy }),
      latecomers: [...this.latecomers],
      overdue: this.expiry.carried,
      overdue_waits: this.abandoning.carried,
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

  /** Ends the overdue questions of all members or of one, and overdue waits for a question. */
  endOverdue(members: Members, only?: string): void {
    const { last } = this;
    if (last === undefined) return;
    const at = now();
    const overdue = members.suspended((member) => isOverdue(member, last, at), only);
    for (const { intent_id, suspension_id } of overdue) {
      if (this.latecomers.has(intent_id)) continue;
      if (suspension_id === undefined) this.abandoning.add(intent_id);
      else this.expiry.add(suspension_id);
    }
  }
}

const { expireQuestions } = proxyActivities<Pick<Activities, 'expireQuestions'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_DONE,
  summary: 'end questions at the deadline',
});

/** Ends overdue questions or waits (R26-27), in batches. An id that is on its way is not added again. */
class Expiry extends OrderedQueue<string> {
  private readonly request: (ids: readonly string[]) => DeadlineBatch;
  private readonly batch: number;
  private readonly onTheWay: Set<string>;

  constructor(
    request: (ids: readonly string[]) => DeadlineBatch,
    carried: readonly string[] = [],
    batch: number = WORKFLOW_LIMITS.deadlineBatch,
  ) {
    super(carried);
    this.request = request;
    this.batch = batch;
    this.onTheWay = new Set(carried);
  }

  override add(id: string): void {
    if (this.onTheWay.has(id)) return;
    this.onTheWay.add(id);
    super.add(id);
  }

  protected override batchOf(): number {
    return this.batch;
  }

  protected override async deliver(ids: readonly string[]): Promise<void> {
    await expireQuestions(this.request(ids));
    for (const id of ids) this.onTheWay.delete(id);
  }
}
