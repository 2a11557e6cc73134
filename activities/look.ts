import { ApplicationFailure } from '@temporalio/activity';
import type { EntityKey } from '../contracts/kernel/primitives.js';
import { forEach } from './announce.js';
import { reasonOf } from './failures.js';
import type { Place } from './ports/reconciliation.js';
import type { Failed, Finding, LookPlace, LookedAt, Reconciled } from './types.js';

/** Something found. For a contradiction it also has the asker and the agent's workflow that waited. */
export interface Found extends EntityKey {
  readonly asked_by?: string | null;
  readonly waiting_workflow?: string | null;
}

/** How many failures the result names. If there are more, the look fails, and the next one begins where it began. */
const MOST_FAILED = 100;

/** Observes and interrupts a look of the reconciler. */
export interface ReconcileWatch {
  /**
   * Called with the progress so far before each page of at most 200, and before each item. Throws to end the work,
   * which can resume from there.
   */
  readonly goOn: (soFar: Reconciled) => void;
  /** Whether the look should end after this page and continue later; without this, it never does. */
  readonly isOver?: () => boolean;
  /** Called with each finding; with the reason if it failed and stays for the next look. */
  readonly found: (placed: Found, finding: Finding, type: LookedAt, reason?: string) => void;
  /** Called with every other failure. */
  readonly warn: (event: string, reason: string) => void;
}

export const NO_FINDINGS = {
  written: 0,
  lost: 0,
  missing: 0,
  unknown: 0,
  behind: 0,
  handed_in: 0,
  contradicted: 0,
};

/**
 * Checks items and counts the findings. A failed item does not stop the others: it stays for the next look. It
 * records its progress, so that another activity can continue it.
 */
export class Look implements Place {
  private readonly watch: Omit<ReconcileWatch, 'warn'>;
  private readonly isAway: (error: unknown) => boolean;
  private readonly lookedUntil: string;
  private readonly failed: Map<string, Failed>;
  private readonly counts: { [K in keyof typeof NO_FINDINGS]: number };
  private place: LookPlace;
  private hasWorked = false;

  /**
   * @param isAway - whether an error concerns everything; such an error ends the look, which resumes from the same
   * place later
   * @param lookedUntil - the instant of the look (ISO-8601)
   * @param soFar - the progress of a look that is being resumed
   */
  constructor(
    watch: Omit<ReconcileWatch, 'warn'>,
    isAway: (error: unknown) => boolean,
    lookedUntil: string,
    soFar?: Reconciled,
  ) {
    this.watch = watch;
    this.isAway = isAway;
    this.lookedUntil = lookedUntil;
    const { failed = [], next = { stage: 0 } } = soFar ?? {};
    this.failed = new Map(failed.map((one) => [keyOf(one.type, one), one]));
    this.counts = { ...NO_FINDINGS };
    for (const name of Object.keys(NO_FINDINGS) as (keyof typeof NO_FINDINGS)[]) {
      this.counts[name] = soFar?.[name] ?? 0;
    }
    this.place = next;
  }

  /** The current stage, counted from 0. */
  get stage(): number {
    return this.place.stage;
  }

  get after(): string | undefined {
    return this.place.after;
  }

  /** Whether the look should continue in another activity. Each slice handles at least one page. */
  get isOver(): boolean {
    return this.hasWorked && (this.watch.isOver?.() ?? false);
  }

  reached(after: string): void {
    this.place = { stage: this.stage, after };
  }

  nextStage(): void {
    this.place = { stage: this.stage + 1 };
  }

  worked(): void {
    this.hasWorked = true;
  }

  readonly goOn = (): void => {
    this.watch.goOn(this.soFar);
  };

  async at<Placed extends Found>(
    type: LookedAt,
    placed: readonly Placed[],
    work: (one: Placed) => Promise<Finding | undefined>,
  ): Promise<void> {
    await forEach(placed, (one) => this.atOne(type, one, work));
  }

  /** Does the same for items of several types. */
  async each<Placed extends Found & { readonly type: LookedAt }>(
    placed: readonly Placed[],
    work: (one: Placed) => Promise<Finding | undefined>,
  ): Promise<void> {
    await forEach(placed, (one) => this.atOne(one.type, one, work));
  }

  get soFar(): Reconciled {
    return { ...this.findings, next: this.place };
  }

  get result(): Reconciled {
    const { size } = this.failed;
    if (size <= MOST_FAILED) return this.findings;
    throw ApplicationFailure.nonRetryable(`${size} could not be looked at`, 'too_many_failed');
  }

  private get findings(): Reconciled {
    // One more than a result may name, to show that there are too many.
    const failed = [...this.failed.values()].slice(0, MOST_FAILED + 1);
    const { lookedUntil: looked_until, counts } = this;
    return { looked_until, ...counts, ...(failed.length > 0 && { failed }) };
  }

  private async atOne<Placed extends Found>(
    type: LookedAt,
    one: Placed,
    work: (one: Placed) => Promise<Finding | undefined>,
  ): Promise<void> {
    this.goOn();
    try {
      const finding = await work(one);
      if (finding === undefined || finding === 'failed') return;
      this.counts[finding] += 1;
      this.watch.found(one, finding, type);
    } catch (error) {
      this.leave(type, one, error);
    }
  }

  private leave(type: LookedAt, { id, space }: EntityKey, error: unknown): void {
    this.goOn();
    if (this.isAway(error)) throw error;
    const key = keyOf(type, { id, space });
    if (this.failed.has(key)) return;
    this.failed.set(key, { type, id, space });
    this.watch.found({ id, space }, 'failed', type, reasonOf(error));
  }
}

function keyOf(type: LookedAt, { id, space }: EntityKey): string {
  return `${type} ${space}/${id}`;
}
