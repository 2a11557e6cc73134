import { pino } from 'pino';
import { FeedHub } from '../../store/feed/hub.js';
import { feedSourceOf } from '../../store/feed/source.js';
import type { FeedSource } from '../../store/feed/source.js';
import { runLog } from './run-log.js';
import type { TestStore } from './store.js';

const SILENT = { hears: true, close: () => undefined };

/** A feed without an event, which never gets one. */
export function emptyFeed(): FeedHub {
  const source: FeedSource = {
    reach: () => Promise.resolve(0),
    look: () => Promise.resolve({ settled: 0, pending: false }),
    read: () => Promise.resolve([]),
    audiencesOf: () => Promise.resolve([]),
    newestPosition: () => Promise.resolve(0),
    lastTaken: () => Promise.resolve(0),
    listen: () => SILENT,
  };
  return new FeedHub(source, { warn: () => undefined });
}

/** The hub of one API replica over a store. */
export function feedOf(store: Pick<TestStore, 'db' | 'url'>): FeedHub {
  return new FeedHub(feedSourceOf(store.db, store.url), pino({}, runLog('api')));
}
