import { defined } from '../../contracts/constants/defined.js';
import type { Intent, IntentStatus } from '../../contracts/intent/intent.js';
import type { QuestionFindings, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { Abandonment } from '../../domain/intent/suspension.js';
import type { LatestQuestion } from '../../domain/graph/announcement.js';

export interface CarriedWaiting {
  readonly question?: LatestQuestion;
  /** When the intent was suspended; absent while it is not. */
  readonly suspended_since?: string;
  /** Its status before the suspension, unless that was `active`; absent while it is not suspended. */
  readonly suspended_from?: IntentStatus;
  /** The principal that suspended it and asks; absent while it is not suspended. */
  readonly asker?: string;
}

/**
 * Since when an intent waits for an operator, and for what. The instants are the server's own, because those in an
 * agent's record come from another clock.
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

  /** When the intent was suspended; undefined while it is not. */
  get since(): string | undefined {
    return this.opened;
  }

  get before(): IntentStatus {
    return this.from ?? 'active';
  }

  get asker(): string | undefined {
    return this.askedBy;
  }

  /** The asker as a list, for access lists: the asker may write. */
  get askers(): readonly string[] {
    return this.askedBy === undefined ? [] : [this.askedBy];
  }

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

  /** Follows a principal's change of status. If it ends a suspension, returns when that began. */
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

  /** Records that a question of a principal is open, at its first attempt. */
  asked({ id: suspension_id, suspended_at, expires_at }: SuspensionRecord, askedBy: string): void {
    this.askedBy = askedBy;
    const since = this.opened ?? suspended_at;
    const ends = expires_at ?? null;
    this.question = { suspension_id, attempt: 1, suspended_at: since, expires_at: ends };
  }

  reached(attempt: number): void {
    if (this.question) this.question = { ...this.question, attempt };
  }
}

export interface ActiveSuspension {
  readonly suspension_id: string;
  /** Sequence of the last report that was applied; repeats are ignored. */
  readonly report_sequence: number;
  /** The agent, if it posts attempts itself, so that the log names it whichever side is first. */
  readonly agent?: string;
  /** The findings about the question as it stands; absent for one that is judged at its end. */
  readonly findings?: QuestionFindings;
  /** Set while an abandonment waits for the question to be withdrawn. */
  readonly abandoning?: Abandonment;
}

export function withFindings(
  { findings: _before, ...active }: ActiveSuspension,
  findings: QuestionFindings | undefined,
): ActiveSuspension {
  return { ...active, ...defined({ findings }) };
}
