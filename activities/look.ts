import { ApplicationFailure } from '@temporalio/activity';
import type { EntityKey } from '../contracts/kernel/entity-key.js';
import { forEach } from './announce.js';
import { reasonOf } from './reason.js';
import type { Place } from './ports/reconciliation.js';
import type { Failed, Finding, LookPlace, LookedAt, Reconciled } from './types.js';

/** Something found; of a contradiction also who asked, and the workflow of an agent that waited. */
export interface Found extends EntityKey {
  readonly asked_by?: string | null;
  readonly waiting_workflow?: string | null;
}

/** How many failures the result names, which Temporal keeps. If there are more, the look fails, and the next one begins where it began. */
const MOST_FAILED = 100;

/** Follows a look for what nobody wrote. */
export interface ReconcileWatch {
  /**
   * Called with what has been done so far before each page of at most 200, and each thing of it. Throws if the work is to end; it
   * can go on from there.
   */
  readonly goOn: (soFar: Reconciled) => void;
  /** Whether the look is to end after the page, and to go on later; it never is without this. */
  readonly isOver?: () => boolean;
  /** Called with what was found; with the reason if it failed and was left for the next look. */
  readonly found: (placed: Found, finding: Finding, type: LookedAt, reason?: string) => void;
  /** Called with what failed besides. */
  readonly warn: (event: string, reason: string) => void;
}

/** What a look that found nothing has counted: each finding that it counts. */
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
 * Looks at things and counts the findings. One that fails stops none of the others: it is left for the next look. It knows how far
 * it has come, so that it can go on from there in another activity.
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
   * @param isAway - whether an error concerns all: it ends the look, which goes on from the same place later
   * @param lookedUntil - the instant of the look (ISO-8601)
   * @param soFar - what a look has done that goes on
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

  /** The part that it is at, counted from 0. */
  get stage(): number {
    return this.place.stage;
  }

  get after(): string | undefined {
    return this.place.after;
  }

  /** Whether it is to go on later. Each slice works through one page at least. */
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

  /** The same for things of several types. */
  async each<Placed extends Found & { readonly type: LookedAt }>(
    placed: readonly Placed[],
    work: (one: Placed) => Promise<Finding | undefined>,
  ): Promise<void> {
    await forEach(placed, (one) => this.atOne(one.type, one, work));
  }

  /** What it has done, to go on from there. */
  get soFar(): Reconciled {
    return { ...this.findings, next: this.place };
  }

  /** The findings, and the failures for the next run. */
  get result(): Reconciled {
    const { size } = this.failed;
    if (size <= MOST_FAILED) return this.findings;
    throw ApplicationFailure.nonRetryable(`${size} could not be looked at`, 'too_many_failed');
  }

  private get findings(): Reconciled {
    // One more than a result may name says that there are too many.
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
