import type { LinkContent } from '../contracts/channel/links.js';
import type { ServerConfig } from '../contracts/server/config.js';
import type { Channels } from './channels/routing.js';
import type { WebhookSender } from './channels/webhook/sender.js';
import type { CheckpointWork } from './ports/checkpoint-work.js';
import type { DeliveryLog } from './ports/delivery-log.js';
import type { EventFeed } from './ports/event-feed.js';
import type { FollowUpLog } from './ports/follow-up-log.js';
import type { Reconciliation } from './ports/reconciliation.js';
import type { RetentionWork } from './ports/retention-work.js';
import type { PushSender } from './push/sender.js';
import type { PushWork } from './ports/push-work.js';
import type { ActivityStore } from './ports/store.js';
import type { WorkflowMessages } from './ports/workflow-messages.js';
import type { Finding } from './types.js';

/** Makes the link by which one person answers one question, until the question expires (ISO-8601). */
export type LinkMaker = (content: LinkContent, expiresAt: string | undefined) => Promise<string>;

/** How long the store may take beside a delivery, and how often a delivery sends a heartbeat; milliseconds. */
export interface NotifyTiming {
  readonly logWaitMs: number;
  readonly heartbeatMs: number;
}

/** How long one execution looks, how often, and how often it gives a sign of life; milliseconds. */
export interface FollowUpTiming {
  readonly patienceMs: number;
  readonly lookMs: number;
  readonly heartbeatMs: number;
}

/** Everything that the activities of a worker use. */
export interface ActivityDependencies {
  readonly store: ActivityStore;
  readonly deliveries: DeliveryLog;
  /** Messages that are told how their questions end. */
  readonly followUps: FollowUpLog;
  /** Only tests replace it. */
  readonly timing?: NotifyTiming | undefined;
  /** Only tests replace it. */
  readonly followUpTiming?: FollowUpTiming | undefined;
  readonly workflows: WorkflowMessages;
  readonly channels: Channels;
  /** Without it, messages have no links. */
  readonly links?: LinkMaker | undefined;
  /** Browsers that are told of questions. */
  readonly pushes: PushWork;
  /** Sends to push services; without it nothing is sent. */
  readonly sendPush?: PushSender | undefined;
  readonly feed: EventFeed;
  /** Posts events to subscribers; it reaches no private network. */
  readonly sendWebhook: WebhookSender;
  /** Signs and delivers log checkpoints. */
  readonly checkpoints: CheckpointWork;
  /** Removes things that ended long enough ago. */
  readonly retention: RetentionWork;
  /** Finds questions whose end is missing in the store. */
  readonly reconciliation: Reconciliation;
  /** Takes note of what the reconciler finds. */
  readonly found?: (finding: Finding) => void;
  readonly config: ServerConfig;
  readonly now: () => Date;
}
