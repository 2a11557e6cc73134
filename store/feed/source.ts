import { FeedEndFinder, lastTaken } from './end.js';
import type { FeedEnd } from './end.js';
import { FeedListener } from './listen.js';
import { audiencesOf, newestPosition, readFeed } from '../queries/feed.js';
import type { FeedAudience, FeedEntry, FeedRange, FeedScope } from '../queries/feed.js';
import type { Store } from '../schema.js';

/** What the hub reads from the store; failures are the driver's. */
export interface FeedSource {
  /** How far the feed may be read when all is settled that was taken before. */
  reach(): Promise<number>;
  /** How far the feed may be read just now. */
  look(): Promise<FeedEnd>;
  read(scope: FeedScope, range: FeedRange): Promise<readonly FeedEntry[]>;
  audiencesOf(intentIds: readonly string[]): Promise<readonly FeedAudience[]>;
  newestPosition(upTo: number): Promise<number>;
  /** The highest number that was ever taken. */
  lastTaken(): Promise<number>;
  /** Calls back when there may be something new. */
  listen(onNotice: () => void): Pick<FeedListener, 'hears' | 'close'>;
}

/** The feed of a store; `url` is where its notices are listened for. */
export function feedSourceOf(db: Store, url: string): FeedSource {
  const end = new FeedEndFinder(db);
  return {
    reach: () => end.reach(),
    look: () => end.look(),
    read: (scope, range) => readFeed(db, scope, range),
    audiencesOf: (intentIds) => audiencesOf(db, intentIds),
    lastTaken: () => lastTaken(db),
    newestPosition: (upTo) => newestPosition(db, upTo),
    listen: (onNotice) => new FeedListener(url, db, onNotice),
  };
}
