import { patched } from '@temporalio/workflow';
import type { OpeningRest } from '../../contracts/notification.js';
import { openingRest, openingRow } from '../../domain/suspension/opening-row.js';
import type { Journal } from '../engine/journal.js';
import type { SuspensionInput } from './messages.js';

/** A worker without this code leaves the row with others that may wait: where it has done so, it stays there. */
const WRITES_LEFT_OPENING = 'holdpoint-writes-left-opening';

/**
 * The opening row of a question. It is in the journal until the store has it: who asked writes it, the question itself,
 * or its first delivery (docs/adr/0053).
 */
export class Opening {
  private readonly journal: Journal;
  private readonly input: SuspensionInput;
  private untold = false;

  constructor(input: SuspensionInput, journal: Journal) {
    this.input = input;
    this.journal = journal;
  }

  /** The question has just been asked. */
  begin(): void {
    this.journal.appendLazily(openingRow(this.input));
    if (!this.input.opening_journalled) this.journal.urge();
    this.untold = this.input.opening_by_delivery === true;
  }

  /** What a delivery that starts now has to write, beside its request: the first one writes the opening. */
  take(): OpeningRest | undefined {
    if (!this.untold) return undefined;
    this.untold = false;
    return openingRest(this.input);
  }

  /** The delivery that took it along was made. One that failed is noted, and the row is written with the note. */
  delivered(isWritten: boolean): void {
    if (isWritten) this.journal.dropPlanned(({ kind }) => kind === 'suspension_opened');
    else if (patched(WRITES_LEFT_OPENING)) this.journal.urge();
  }
}
