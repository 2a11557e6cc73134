import { defined } from '../../contracts/constants/defined.js';
import type { Intent, IntentStatus } from '../../contracts/intent/intent.js';
import type { QuestionFindings } from '../../contracts/suspension/findings.js';
import type { Abandonment } from '../../domain/intent/suspension.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { LatestQuestion } from '../../domain/graph/announcement.js';

/** What outlives a run. */
export interface CarriedWaiting {
  /** The latest question, open or not. */
  readonly question?: LatestQuestion;
  /** Since when the intent is suspended; absent while it is not. */
  readonly suspended_since?: string;
  /** The status that it had before, unless that was `active`; absent while it is not suspended. */
  readonly suspended_from?: IntentStatus;
  /** The principal that suspended it, and asks; absent while it is not suspended. */
  readonly asker?: string;
}

/**
 * Knows since when an intent waits for an operator, and for what. The instants are the server's own: those in a record
 * that an agent writes come from another clock.
 */
export class Waiting {
  private question: LatestQuestion | undefined;
  private opened: string | undefined;
  private askedBy: string | undefined;
  private from: IntentStatus | undefined;

  constructor(carried: CarriedWaiting = {}) {
    this.question = carried.question;
    this.opened = carried.suspended_since;
    this.askedBy = carried.asker;
    this.from = carried.suspended_from;
  }

  /** Since when the intent is suspended; undefined while it is not. */
  get since(): string | undefined {
    return this.opened;
  }

  /** The status that the intent had before it was suspended. */
  get before(): IntentStatus {
    return this.from ?? 'active';
  }

  /** The principal that asks while the intent is suspended. */
  get asker(): string | undefined {
    return this.askedBy;
  }

  /** The same, as access lists take it: whoever asks may write. */
  get askers(): readonly string[] {
    return this.askedBy === undefined ? [] : [this.askedBy];
  }

  /** The latest question that a suspension has opened. */
  get lastId(): string | undefined {
    return this.question?.suspension_id;
  }

  get carried(): CarriedWaiting {
    return defined({
      question: this.question,
      suspended_since: this.opened,
      asker: this.askedBy,
      suspended_from: this.from,
    });
  }

  /** Follows a change of status by a principal. If it ends a suspension, returns since when the intent was suspended. */
  moved(
    before: IntentStatus,
    { status, updated_at }: Intent,
    principal?: string,
  ): string | undefined {
    const [was, is] = [before, status].map((one) => one === 'suspended_awaiting_input');
    const since = this.opened;
    if (was !== is) {
      this.opened = is ? updated_at : undefined;
      this.askedBy = is ? principal : undefined;
      this.from = is && before !== 'active' ? before : undefined;
    }
    return was && !is ? since : undefined;
  }

  /** A question of a principal is open from now on, with its first attempt. */
  asked({ id: suspension_id, suspended_at, expires_at }: SuspensionRecord, askedBy: string): void {
    this.askedBy = askedBy;
    const since = this.opened ?? suspended_at;
    const ends = expires_at ?? null;
    this.question = { suspension_id, attempt: 1, suspended_at: since, expires_at: ends };
  }

  /** Notes the current attempt of that question. */
  reached(attempt: number): void {
    if (this.question) this.question = { ...this.question, attempt };
  }
}

/** The open suspension as its intent knows it. */
export interface ActiveSuspension {
  readonly suspension_id: string;
  /** Sequence of the last report that was taken in; repeats are ignored. */
  readonly report_sequence: number;
  /** The agent that posts attempts itself, so that the log names it whichever side comes first. */
  readonly agent?: string;
  /** What was found about the question as it stands; absent for one that is judged at its end. */
  readonly findings?: QuestionFindings;
  /** Set while an abandonment waits for the question to be withdrawn. */
  readonly abandoning?: Abandonment;
}

/** An open suspension whose question was amended: what was found about it before counts no more. */
export function withFindings(
  { findings: _before, ...active }: ActiveSuspension,
  findings: QuestionFindings | undefined,
): ActiveSuspension {
  return { ...active, ...defined({ findings }) };
}
