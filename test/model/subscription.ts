import type { Announcement } from '../../contracts/graph/announcement.js';

interface Letter {
  readonly deliver: () => void;
  readonly isReady: () => boolean;
}

/**
 * What one observer hears of one intent. The first announcement is the answer to `observe`, and comes first
 * to a dependent (`inOrder`), which counts from it; the others come in any order.
 */
export class Subscription {
  /** The intent has heard of its observer. */
  begun = false;
  /** The observer does not listen any more. */
  closed = false;
  private hasHeard = false;
  private readonly take: (announcement: Announcement) => void;
  private readonly inOrder: boolean;

  constructor(take: (announcement: Announcement) => void, inOrder: boolean) {
    this.take = take;
    this.inOrder = inOrder;
  }

  letter(announcement: Announcement): Letter {
    const isFirst = !this.begun;
    this.begun = true;
    return {
      deliver: () => {
        if (this.closed) return;
        this.hasHeard = true;
        this.take(announcement);
      },
      isReady: () => isFirst || this.hasHeard || this.closed || !this.inOrder,
    };
  }
}
