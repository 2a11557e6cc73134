import type { NewsFeed } from '../../../api/parts/reads/question-news.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import type { FeedEntry, FeedScope } from '../../../contracts/subscription/feed.js';
import type { SuspensionChange } from '../../../contracts/suspension/view.js';

interface Follower {
  readonly scope: FeedScope;
  readonly deliver: (entries: readonly FeedEntry[]) => void;
  readonly wentBack: (to: number) => void;
}

/** A feed that tells of changes of questions when it is told to, and may be away. */
export class FakeFeed implements NewsFeed {
  /** Nobody can begin to follow it, and it reads nothing. */
  isAway = false;
  position = 0;
  /** Those who have joined and not left. */
  users = 0;
  readonly followers = new Set<Follower>();
  private reads = 0;

  get looks(): number {
    if (!this.isAway) this.reads += 1;
    return this.reads;
  }

  async join(): Promise<void> {
    if (this.isAway) throw new Error('away');
    this.users += 1;
  }

  leave(): void {
    this.users -= 1;
  }

  follow: NewsFeed['follow'] = async (scope, _after, taker) => {
    const follower: Follower = {
      scope,
      deliver: (entries) => taker.deliver(entries),
      wentBack: (to) => taker.wentBack?.(to),
    };
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  };

  /** Tells of a change that the store has by now. */
  tell(id: string, change: SuspensionChange['change'], state: SuspensionChange['state']): void {
    this.position += 1;
    const entry: FeedEntry = {
      position: this.position,
      space: DEFAULT_SPACE,
      created_by: 'agent-1',
      owner: null,
      guarded: null,
      event: { suspension_id: id, state, change },
    };
    for (const { deliver } of this.followers) deliver([entry]);
  }

  /** Tells that the store has lost all changes. */
  goBack(): void {
    this.position = 0;
    for (const { wentBack } of this.followers) wentBack(0);
  }
}
