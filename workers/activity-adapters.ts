import { open } from 'node:fs/promises';
import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { createWebhookSender } from '../activities/channels/webhook/sender.js';
import type {
  ActivityDependencies,
  CheckpointPlace,
  CheckpointWork,
  DeliveryLog,
  Taken,
  WorkflowMessages,
} from '../activities/dependencies.js';
import type { FollowUpLog } from '../activities/follow-ups.js';
import { ownSpace, peerIdOf } from '../activities/own-call.js';
import type { ServerConfig } from '../contracts/config.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { OwnQuestion } from '../contracts/intent.js';
import type { JournalWatch } from '../contracts/journal.js';
import { inSpace } from '../store/in-space.js';
import { writeRows } from '../store/journal-writer.js';
import { storedProposal } from '../store/queries/approval.js';
import { firstUndelivered, noteDelivered } from '../store/queries/checkpoint.js';
import { deliveryOf, recordDelivery, recordTry } from '../store/queries/deliveries.js';
import {
  dueFollowUps,
  noteFollowed,
  notePutOff,
  sweepFollowUps,
} from '../store/queries/follow-ups.js';
import { linkDependency } from '../store/queries/graph.js';
import { storedAnnouncement } from '../store/queries/intent.js';
import { taskNews } from '../store/queries/plan.js';
import { answeringByKey } from '../store/queries/answering.js';
import { presentSights } from '../store/queries/principal.js';
import { saveSnapshot } from '../store/queries/snapshot.js';
import { membershipChanges } from '../store/queries/portfolio.js';
import { appendToRun } from '../store/queries/run-log.js';
import {
  activeSubscriptions,
  noteWithheld,
  subscriptionsToWake,
} from '../store/queries/subscription.js';
import type { PlacedSubscription } from '../store/queries/subscription.js';
import type { CheckpointKey } from '../runtime/checkpoint-key.js';
import type { Store } from '../store/schema.js';
import { takeCheckpoint } from '../store/take-checkpoint.js';
import { announcementSignal, observeSignal } from '../workflows/engine/messages.js';
import type { Caller } from '../contracts/caller.js';
import { suspendUpdate } from '../workflows/intent/messages.js';
import { wakeSignal } from '../workflows/subscription/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';
import { appendEvent, isRefused } from './append-event.js';
import { inTime } from './in-time.js';
import { endOfWorkflow } from './placed-pages.js';
import { reconciliation, storedQuestions } from './reconciliation.js';
import { retentionWork } from './retention-work.js';
import { signalIfOpen } from './signal-if-open.js';

/** What the activities of a worker use, over its store and the connection of the worker that runs them. */
export function activityDependencies({
  db,
  feed,
  channels,
  links,
  config,
  checkpointKey,
  watch,
}: ActivitySources): ActivityDependencies {
  const here = () => inSpace(db, ownSpace());
  const workflowOf = ({ id, space }: PlacedSubscription) => workflowIdOf('subscription', id, space);
  return {
    store: {
      writeRows: (rows) => writeRows(db, rows, ownSpace(), watch),
      linkDependency: (edge) => linkDependency(db, edge, ownSpace()),
      membershipChanges: (request) => membershipChanges(here(), request),
      taskNews: (taskIds) => taskNews(here(), taskIds),
      activeSubscriptions: async () => (await activeSubscriptions(db)).map(workflowOf),
      subscriptionsToWake: async (range) => (await subscriptionsToWake(db, range)).map(workflowOf),
      answeringByKey: () => answeringByKey(db),
      presentSights: (principal) => presentSights(here(), principal),
      noteWithheld: (id, at) => noteWithheld(db, id, at, ownSpace()),
      saveSnapshot: (snapshot, at, space) => saveSnapshot(db, snapshot, at, space),
      storedProposal: (approvalId, questions) => storedProposal(here(), approvalId, questions),
      appendToRun: (note, salt, space = ownSpace()) => appendToRun(db, note, salt, space),
      storedAnnouncement: (intentId) => storedAnnouncement(here(), intentId),
      ...storedQuestions(db, watch),
    },
    deliveries: storedDeliveryLog(db),
    followUps: storedFollowUps(db),
    workflows: workflowMessages(),
    channels,
    links,
    feed,
    sendWebhook: createWebhookSender({
      allow_private_network: false,
      timeout_seconds: config.subscriptions.timeout_seconds,
    }),
    checkpoints: checkpointWork(db, config, checkpointKey),
    retention: retentionWork(db, config, checkpointKey !== undefined),
    reconciliation: reconciliation(db, getClient, watch),
    config,
    now: () => new Date(),
  };
}

interface ActivitySources extends Pick<
  ActivityDependencies,
  'feed' | 'channels' | 'config' | 'links'
> {
  readonly db: Store;
  /** Without it nothing is signed. */
  readonly checkpointKey?: CheckpointKey | undefined;
  /** Takes note of rows that are written to the store. */
  readonly watch?: JournalWatch;
}

function checkpointWork(
  db: Store,
  { checkpoints: { webhook }, retention: { settled_days: settledDays } }: ServerConfig,
  key: CheckpointKey | undefined,
): CheckpointWork {
  const column = (place: CheckpointPlace) => (place === 'file' ? 'filed_at' : 'posted_at');
  return {
    sign: async (goOn) =>
      key && takeCheckpoint(db, { key, now: () => new Date(), goOn, settledDays }),
    firstUndelivered: (place) => firstUndelivered(db, column(place)),
    noteDelivered: (number, place, at) => noteDelivered(db, number, column(place), at),
    append: appendDurably,
    post: createWebhookSender(webhook ?? { allow_private_network: false, timeout_seconds: 10 }),
  };
}

async function appendDurably(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.appendFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The log of deliveries, kept in the store. */
function storedDeliveryLog(db: Store): DeliveryLog {
  return {
    async find(deliveryId) {
      const found = await deliveryOf(inSpace(db, ownSpace()), deliveryId);
      if (found === undefined) return undefined;
      const { channel, reference, delivered_at } = found;
      return { channel, delivered_at, ...(reference !== null && { reference }) };
    },
    async record(deliveryId, { channel, reference = null, delivered_at }, followed) {
      const delivery = { delivery_id: deliveryId, channel, reference, delivered_at };
      await recordDelivery(db, delivery, ownSpace(), followed);
    },
    recordTry: (tried) => recordTry(db, tried, ownSpace()),
  };
}

/** The messages of all spaces that are followed. */
function storedFollowUps(db: Store): FollowUpLog {
  return {
    sweep: () => sweepFollowUps(db),
    due: (range) => dueFollowUps(db, range),
    told: (sent, shows) => noteFollowed(db, sent, shows),
    putOff: (sent, until) => notePutOff(db, sent, until),
  };
}

/** Sends messages over the connection of the worker that runs the calling activity. */
export function workflowMessages(): WorkflowMessages {
  return {
    announce: (observer, announcement) => signalOnce(observer, announcementSignal, announcement),
    observe: (intentId, observer) =>
      signalOnce(peerIdOf('intent', intentId), observeSignal, observer),
    wake: (workflowId, upTo) => signalOnce(workflowId, wakeSignal, upTo),
    expireQuestion: async (suspensionId, deadline) => {
      const workflowId = peerIdOf('suspension', suspensionId);
      const isTaken = await signalIfOpen(getClient(), workflowId, expireNowSignal, deadline);
      return isTaken || isOver(workflowId);
    },
    expireIntent: (intentId, deadline) =>
      signalIfOpen(getClient(), peerIdOf('intent', intentId), expireNowSignal, deadline),
    appendEvent: async (note) => {
      const { key, intent_id, question } = note;
      if (question && (await isAsked(key, question))) return true;
      return appendEvent(getClient(), peerIdOf('intent', intent_id), note);
    },
  };
}

/** Whether a workflow was there and is closed; one that has started just now has still to be told. */
async function isOver(workflowId: string): Promise<boolean> {
  const handle = getClient().workflow.getHandle(workflowId);
  const end = await endOfWorkflow(handle, async () => ({ kind: 'completed' as const }));
  return end !== undefined && end.kind !== 'missing';
}

/** Suspends an intent with a question, once under a key; false if the intent cannot be suspended. */
async function isAsked(key: string, question: OwnQuestion): Promise<boolean> {
  const { intent_id, asked_by: principal, actor, draft } = question;
  const { workflow } = getClient();
  const handle = workflow.getHandle(peerIdOf('intent', intent_id));
  const by: Caller = { space: ownSpace(), principal, roles: ['agent'], groups: [] };
  // The key belongs to one question of the coordinator, which tries only until it is asked.
  const input = { by, actor, draft, request: { key, body_hash: key }, is_new: true as const };
  try {
    await inTime(workflow, () =>
      handle.executeUpdate(suspendUpdate, { args: [input], updateId: key }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isRefused(error)) return false;
    throw error;
  }
}

/** gRPC codes of a workflow that has had as many Signals as a run takes, and of a server that is busy. */
const FULL = new Set([3, 8]);

/** Whether the receiver is there, and may take the same message later. */
function isFull(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((one) => isGrpcServiceError(one) && FULL.has(one.code));
}

/** Signals a workflow, and tells one that is full from one that is gone. */
async function signalOnce<A>(
  workflowId: string,
  definition: SignalDefinition<[A]>,
  argument: A,
): Promise<Taken> {
  try {
    return (await signalIfOpen(getClient(), workflowId, definition, argument)) ? 'taken' : 'gone';
  } catch (error) {
    if (isFull(error)) return 'full';
    throw error;
  }
}
