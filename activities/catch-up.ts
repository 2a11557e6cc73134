import type { EntityKey } from '../contracts/kernel/entity-key.js';
import type { Reconciliation } from './ports/reconciliation.js';
import { reasonOf } from './reason.js';
import type { Finding } from './types.js';

/** After so many questions in a row for which no worker answers, the others are not asked: each takes its time. */
const SILENT_IN_A_ROW = 3;

/** Brings open questions up to date that have come further than the store shows, which may be an older copy. */
export class CatchUp {
  private readonly reconciliation: Pick<Reconciliation, 'progressOf' | 'writeRows'>;
  private readonly note: (reason: string) => void;
  private silent = 0;
  private left = 0;

  /** @param note - called with the reason why a question could not be asked */
  constructor(
    reconciliation: Pick<Reconciliation, 'progressOf' | 'writeRows'>,
    note: (reason: string) => void,
  ) {
    this.reconciliation = reconciliation;
    this.note = note;
  }

  /** How many questions did not say how far they have come. */
  get unasked(): number {
    return this.left;
  }

  /** If no worker answers for this many in a row, the others are not asked. */
  async bring(question: EntityKey): Promise<Finding | undefined> {
    const row = this.silent < SILENT_IN_A_ROW ? await this.ask(question) : 'no_worker';
    if (row === 'no_worker') this.left += 1;
    if (row === 'no_worker' || row === undefined) return undefined;
    await this.reconciliation.writeRows([row], question.space);
    return 'behind';
  }

  private async ask(question: EntityKey): ReturnType<Reconciliation['progressOf']> {
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
