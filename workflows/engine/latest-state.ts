import type { Unreached } from '../../contracts/graph/announcement.js';
import { Sender } from './sender.js';

/**
 * Keeps many receivers at the latest state. Each has one message under way at most, and gets the state as it is
 * when its turn comes, so that changes in between become one.
 */
export abstract class LatestState extends Sender {
  private readonly underWay = new Set<string>();

  /** At most `lanes` batches are under way at once. */
  constructor(lanes = 1) {
    super(lanes);
  }

  /** How many receivers get the state in the next batch. */
  protected get batch(): number {
    return Infinity;
  }

  /** The receivers that have not got the state yet, the most urgent first. */
  protected abstract outstanding(): Iterable<string>;

  /** Sends the state to each of them; returns those that were not there, or are full. */
  protected abstract tell(receivers: readonly string[]): Promise<Unreached>;

  /** The state is about to be sent to a receiver. */
  protected sending?(receiver: string): void;

  /** A receiver was not there. */
  protected missed?(receiver: string): void;

  /** A receiver that was full may take the state now. */
  protected again?(receiver: string): void;

  /** Whether it is unknown if a receiver gets what was sent last. */
  protected isUnderWay(receiver: string): boolean {
    return this.underWay.has(receiver);
  }

  protected get ready(): boolean {
    return this.next(1).length > 0;
  }

  protected async sendNext(): Promise<void> {
    const receivers = this.next(this.batch);
    for (const receiver of receivers) {
      this.underWay.add(receiver);
      this.sending?.(receiver);
    }
    const { gone, full } = await this.tell(receivers);
    const resting = new Set(full);
    for (const receiver of receivers) if (!resting.has(receiver)) this.underWay.delete(receiver);
    for (const receiver of gone) this.missed?.(receiver);
    // While it rests, a receiver counts as under way, so that a next run would send to it too.
    this.afterRest(full, (receiver) => {
      this.underWay.delete(receiver);
      this.again?.(receiver);
    });
  }

  private next(most: number): readonly string[] {
    const receivers = new Set<string>();
    for (const receiver of this.outstanding()) {
      if (receivers.size === most) break;
      if (!this.underWay.has(receiver)) receivers.add(receiver);
    }
    return [...receivers];
  }
}
