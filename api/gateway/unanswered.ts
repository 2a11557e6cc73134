/**
 * When the latest call began that no worker took in time (ms since the epoch). A worker that lives
 * has polled again since then, if only for that call.
 */
export class Unanswered {
  private latest = 0;

  get since(): number {
    return this.latest;
  }

  /** Notes a call that nobody took, by the instant at which it began. */
  note(began: number): void {
    this.latest = Math.max(this.latest, began);
  }
}
