import type { PlacedQuestion, Reconciliation } from './dependencies.js';
import { reasonOf } from './reason.js';
import type { Finding } from './types.js';

/** So many questions in a row for which no worker answers; each takes its time. */
const SILENT_IN_A_ROW = 3;

/** Brings open questions up to date that have come further than the store shows, which may be an older copy. */
export class CatchUp {
  private readonly reconciliation: Pick<Reconciliation, 'progressOf' | 'writeRows'>;
  private readonly note: (reason: string) => void;
  private silent = 0;
  private left = 0;

  /** @param note - told why a question could not be asked how far it has come */
  constructor(
    reconciliation: Pick<Reconciliation, 'progressOf' | 'writeRows'>,
    note: (reason: string) => void,
  ) {
    this.reconciliation = reconciliation;
    this.note = note;
  }

  /** The questions of which nobody has said how far they have come. */
  get unasked(): number {
    return this.left;
  }

  /** Where no worker says how far several in a row have come, the others are not asked. */
  async bring(question: PlacedQuestion): Promise<Finding | undefined> {
    const row = this.silent < SILENT_IN_A_ROW ? await this.ask(question) : 'no_worker';
    if (row === 'no_worker') this.left += 1;
    if (row === 'no_worker' || row === undefined) return undefined;
    await this.reconciliation.writeRows([row], question.space);
    return 'behind';
  }

  private async ask(question: PlacedQuestion): ReturnType<Reconciliation['progressOf']> {
    try {
      const row = await this.reconciliation.progressOf(question);
      this.silent = row === 'no_worker' ? this.silent + 1 : 0;
      return row;
    } catch (error) {
      this.left += 1;
      this.note(reasonOf(error));
      return undefined;
    }
  }
}
