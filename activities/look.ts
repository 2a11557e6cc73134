import { forEach } from './announce.js';
import type { AskedToWrite, PlacedQuestion } from './dependencies.js';
import { reasonOf } from './reason.js';
import type { Failed, Finding, Reconciled } from './types.js';

/** So many that fail are named in the result, which Temporal keeps. Where more do, the look is made again. */
const MOST_FAILED = 100;

/** Follows a look for what nobody wrote. */
export interface ReconcileWatch {
  /** Called before each page of at most 200, and each thing of it; throws if the work is to end. */
  readonly goOn: () => void;
  /** Told of what was found; with the reason where it failed, and was left for the next look. */
  readonly found: (
    placed: PlacedQuestion,
    finding: Finding,
    type: AskedToWrite,
    reason?: string,
  ) => void;
  /** Told of what failed beside that. */
  readonly warn: (event: string, reason: string) => void;
}

/** Looks at things and counts what it finds. One that fails stops none of the others: it is left for the next look. */
export class Look {
  private readonly watch: Pick<ReconcileWatch, 'goOn' | 'found'>;
  private readonly isAway: (error: unknown) => boolean;
  private readonly failed = new Map<string, Failed>();
  private readonly counts = { written: 0, lost: 0, missing: 0, unknown: 0, behind: 0 };

  /** @param isAway - whether an error concerns all: it ends the look, which is then made again */
  constructor(watch: Pick<ReconcileWatch, 'goOn' | 'found'>, isAway: (error: unknown) => boolean) {
    this.watch = watch;
    this.isAway = isAway;
  }

  async at(
    type: AskedToWrite,
    placed: readonly PlacedQuestion[],
    work: (one: PlacedQuestion) => Promise<Finding | undefined>,
  ): Promise<void> {
    await forEach(placed, async (one) => {
      this.watch.goOn();
      try {
        const finding = await work(one);
        if (finding === undefined || finding === 'failed') return;
        this.counts[finding] += 1;
        this.watch.found(one, finding, type);
      } catch (error) {
        this.leave(type, one, error);
      }
    });
  }

  /** What was found, and what is left for the next look. */
  get result(): Omit<Reconciled, 'looked_until'> {
    const failed = [...this.failed.values()];
    if (failed.length > MOST_FAILED) throw new Error(`${failed.length} could not be looked at`);
    return { ...this.counts, ...(failed.length > 0 && { failed }) };
  }

  private leave(type: AskedToWrite, { id, space }: PlacedQuestion, error: unknown): void {
    this.watch.goOn();
    if (this.isAway(error)) throw error;
    const key = `${type} ${space}/${id}`;
    if (this.failed.has(key)) return;
    this.failed.set(key, { type, id, space });
    this.watch.found({ id, space }, 'failed', type, reasonOf(error));
  }
}
