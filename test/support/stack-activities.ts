import { createChannels } from '../../activities/channels/routing.js';
import { createActivities } from '../../activities/index.js';
import { TIMING } from '../../activities/one-try.js';
import type { Activities } from '../../activities/types.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { linkMaker, type LinkKeys } from '../../runtime/link-tokens.js';
import { loadPushKeys, newPushKey } from '../../runtime/push-keys.js';
import { activityDependencies } from '../../workers/activity-adapters.js';
import { slackOf } from '../../workers/channel-checks.js';
import type { WorkerTracing } from '../../workers/tracing/start.js';
import { feedOf } from './events.js';
import { PATIENCE } from './patience.js';
import type { TestStore } from './store.js';
import { loopbackSender } from './subscribers.js';

/** What signs the checkpoints of the tests. */
export const CHECKPOINT_KEY = checkpointKeyOf(new Uint8Array(32).fill(7));

/** What seals the links of the tests. */
export const LINK_KEYS: LinkKeys = [new Uint8Array(32).fill(11)];

/** What proves to push services of the tests who sends. */
export const PUSH_KEYS = loadPushKeys({ HOLDPOINT_PUSH_KEYS: newPushKey() });

/** What the activities of a stack work with. */
interface Means {
  readonly config: ServerConfig;
  readonly store: TestStore;
  readonly traces: WorkerTracing | undefined;
  /** Takes a message of the console; false where that fails. */
  readonly write: (text: string) => boolean;
}

/** The product's own activities over a store, with limits that a busy machine keeps. */
export function stackActivities({ config, store, traces, write }: Means): Activities {
  const { db } = store;
  const writer = {
    write: (text: string, done: (error?: Error) => void) =>
      write(text) ? done() : done(new Error(`cannot send ${text}`)),
  };
  const dependencies = activityDependencies({
    db,
    feed: feedOf(store),
    channels: createChannels(config.notifications, writer, {
      ...(traces && { webhook: { traceparent: traces.traceparent } }),
      slack: { inbox: config.public_url, ...slackOf(config, db, LINK_KEYS) },
    }),
    links: linkMaker(config.public_url ?? 'https://holdpoint.example', LINK_KEYS),
    config,
    checkpointKey: CHECKPOINT_KEY,
    pushKeys: PUSH_KEYS,
  });
  return createActivities({
    ...(traces ? traces.traced(dependencies) : dependencies),
    sendWebhook: loopbackSender(),
    timing: { ...TIMING, logWaitMs: PATIENCE * TIMING.logWaitMs },
    followUpTiming: { patienceMs: 0, lookMs: 0, heartbeatMs: 1_000 },
  });
}
