import type { LinkContent } from '../contracts/channel/links.js';
import type { ServerConfig } from '../contracts/server/config.js';
import type { Channels } from './channels/routing.js';
import type { WebhookSender } from './channels/webhook/sender.js';
import type {
  CheckpointWork,
  DeliveryLog,
  EventFeed,
  FollowUpLog,
  PushWork,
  RetentionWork,
} from './ports/upkeep.js';
import type { Reconciliation } from './ports/reconciliation.js';
import type { PushSender } from './push/sender.js';
import type { ActivityStore, WorkflowMessages } from './ports/store.js';
import type { Finding } from './types.js';

/** Makes the link by which one person answers one question, until the question expires (ISO-8601). */
export type LinkMaker = (content: LinkContent, expiresAt: string | undefined) => Promise<string>;

/** How long the store may delay a delivery, and how often a delivery sends a heartbeat; milliseconds. */
export interface NotifyTiming {
  readonly logWaitMs: number;
  readonly heartbeatMs: number;
}

/** How long one execution runs, how often it looks, and how often it sends a heartbeat; milliseconds. */
export interface FollowUpTiming {
  readonly patienceMs: number;
  readonly lookMs: number;
  readonly heartbeatMs: number;
}

export interface ActivityDependencies {
  readonly store: ActivityStore;
  readonly deliveries: DeliveryLog;
  readonly followUps: FollowUpLog;
  /** Only tests replace it. */
  readonly timing?: NotifyTiming | undefined;
  /** Only tests replace it. */
  readonly followUpTiming?: FollowUpTiming | undefined;
  readonly workflows: WorkflowMessages;
  readonly channels: Channels;
  readonly links?: LinkMaker | undefined;
  readonly pushes: PushWork;
  readonly sendPush?: PushSender | undefined;
  readonly feed: EventFeed;
  /** Posts events to subscribers; it reaches no private network. */
  readonly sendWebhook: WebhookSender;
  readonly checkpoints: CheckpointWork;
  readonly retention: RetentionWork;
  readonly reconciliation: Reconciliation;
  readonly found?: (finding: Finding) => void;
  readonly config: ServerConfig;
  readonly now: () => Date;
}
