import type {
  CheckpointPlace,
  CheckpointWork,
  DeliveryLog,
  FollowUpLog,
  PushWork,
  RetentionWork,
} from '../activities/ports/upkeep.js';
import type { ServerConfig } from '../contracts/server/config.js';
import { settledBefore } from '../domain/log/checkpoint.js';
import { firstUndelivered, latestCheckpoint, noteDelivered } from '../store/queries/checkpoint.js';
import { markSettled } from '../store/retention/marks.js';
import { removeMarked, removeRuns } from '../store/retention/removal.js';
import type { Store } from '../store/schema.js';
import { createPushSender, encrypted } from '../activities/push/sender.js';
import { pushSigner, type PushKeys } from '../runtime/push-keys.js';
import { endPushSubscription } from '../store/queries/work/push.js';
import {
  duePushes,
  fanOutPushes,
  notePushed,
  putPushOff,
  questionsToPush,
  sweepPushes,
} from '../store/queries/work/push-work.js';
import { open } from 'node:fs/promises';
import { getClient } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { createWebhookSender } from '../activities/channels/webhook/sender.js';
import type { ActivityDependencies } from '../activities/dependencies.js';
import type { Taken, WorkflowMessages } from '../activities/ports/store.js';
import { ownSpace, peerIdOf } from '../activities/own-call.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { OwnQuestion } from '../contracts/intent/intent.js';
import type { JournalWatch } from '../contracts/log/journal.js';
import { inSpace } from '../store/in-space.js';
import { writeRows } from '../store/journal-writer.js';
import { findApproval, storedProposal } from '../store/queries/approval.js';
import { deliveryOf, recordDelivery, recordTry } from '../store/queries/work/deliveries.js';
import {
  dueFollowUps,
  noteFollowed,
  notePutOff,
  sweepFollowUps,
} from '../store/queries/work/follow-ups.js';
import { linkDependency } from '../store/queries/graph.js';
import { storedAnnouncement } from '../store/queries/intent.js';
import { taskNews } from '../store/queries/plan.js';
import { answeringByKey, presentSights } from '../store/queries/people/principal.js';
import { appendToRun, saveSnapshot } from '../store/queries/run-log.js';
import { membershipChanges } from '../store/queries/portfolio.js';
import {
  activeSubscriptions,
  hasEnded,
  noteWithheld,
  subscriptionsToWake,
  type PlacedSubscription,
} from '../store/queries/people/subscription.js';
import type { CheckpointKey } from '../runtime/checkpoint-key.js';
import { takeCheckpoint } from '../store/take-checkpoint.js';
import { completeUpdate, redeemUpdate } from '../workflows/approval/messages.js';
import { announcementSignal, observeSignal } from '../workflows/engine/messages.js';
import type { Caller } from '../contracts/people/caller.js';
import { suspendUpdate } from '../workflows/intent/messages.js';
import { goBackSignal, wakeSignal } from '../workflows/subscription/messages.js';
import { expireNowSignal } from '../workflows/suspension/messages.js';
import { appendEvent, hasCode, inTime, isRefused, signalIfOpen } from './calls.js';
import { endOfWorkflow } from './listed.js';
import { reconciliation, storedQuestions } from './reconciliation.js';

/**
 * Runs retention over a store. Without the setting it marks and removes nothing.
 *
 * @param hasKey - whether this worker signs checkpoints; if any were signed, nothing is removed without a further one
 */
function retentionWork(
  db: Store,
  { retention: { settled_days: days } }: Pick<ServerConfig, 'retention'>,
  hasKey: boolean,
): RetentionWork {
  const signs = async (): Promise<boolean> => hasKey || (await latestCheckpoint(db)) !== undefined;
  return {
    async mark(goOn) {
      if (days === undefined) return { signs: false };
      const at = new Date();
      const logs = await markSettled(db, { at, before: settledBefore(at, days) }, goOn);
      return { signs: logs > 0 && (await signs()) };
    },
    async remove(goOn) {
      if (days === undefined) return 0;
      const at = new Date();
      const removed = await removeMarked(db, { at, signs: await signs() }, goOn);
      await removeRuns(db, settledBefore(at, days), goOn);
      return removed;
    },
  };
}

/** The dependencies of a worker's activities, over its store and the connection of the worker that runs them. */
export function activityDependencies({
  db,
  feed,
  channels,
  links,
  config,
  checkpointKey,
  pushKeys,
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
      hasEnded: (id) => hasEnded(here(), id),
      noteWithheld: (id, at) => noteWithheld(db, id, at, ownSpace()),
      saveSnapshot: (snapshot, at, space) => saveSnapshot(db, snapshot, at, space),
      findApproval: (id, space) => findApproval(inSpace(db, space), id),
      storedProposal: (approvalId, questions) => storedProposal(here(), approvalId, questions),
      appendToRun: (note, salt, space = ownSpace()) => appendToRun(db, note, salt, space),
      storedAnnouncement: (intentId) => storedAnnouncement(here(), intentId),
      ...storedQuestions(db, watch),
    },
    deliveries: storedDeliveryLog(db),
    followUps: storedFollowUps(db),
    pushes: storedPushes(db, config),
    sendPush:
      pushKeys &&
      createPushSender(config.push, { encrypt: encrypted, sign: pushSigner(pushKeys, config) }),
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
  /** Without them no browser gets pushes. */
  readonly pushKeys?: PushKeys | undefined;
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

/** The messages of all spaces that get updates. */
function storedFollowUps(db: Store): FollowUpLog {
  return {
    sweep: () => sweepFollowUps(db),
    due: (range) => dueFollowUps(db, range),
    told: (sent, shows) => noteFollowed(db, sent, shows),
    putOff: (sent, until) => notePutOff(db, sent, until),
  };
}

/** The browsers of all spaces that get pushes. */
function storedPushes(
  db: Store,
  { session, suspension }: Pick<ServerConfig, 'session' | 'suspension'>,
): PushWork {
  const at = () => new Date().toISOString();
  const idleSeconds = session.idle_seconds;
  const { separation_of_duties } = suspension;
  return {
    sweep: () => sweepPushes(db, at()),
    fanOut: () => fanOutPushes(db, separation_of_duties, at()),
    due: (range) => duePushes(db, { ...range, at: at(), idleSeconds }),
    questions: (due) => questionsToPush(db, due, separation_of_duties, at()),
    told: ({ session_id }, told, next) => notePushed(db, session_id, told, next),
    putOff: ({ session_id }, until, hasFailed) => putPushOff(db, session_id, until, hasFailed),
    end: ({ session_id }) => endPushSubscription(db, session_id),
  };
}

export function workflowMessages(): WorkflowMessages {
  return {
    redeemCall: (id, space, input) =>
      updateIfOpen(workflowIdOf('approval', id, space), redeemUpdate, input),
    completeCall: (id, space, input) =>
      updateIfOpen(workflowIdOf('approval', id, space), completeUpdate, input),
    goesOn,
    announce: (observer, announcement) => signalOnce(observer, announcementSignal, announcement),
    observe: (intentId, observer) =>
      signalOnce(peerIdOf('intent', intentId), observeSignal, observer),
    wake: (workflowId, upTo) => signalOnce(workflowId, wakeSignal, upTo),
    goBack: (workflowId, to) => signalOnce(workflowId, goBackSignal, to),
    expireQuestion: async (suspensionId, deadline) => {
      const workflowId = peerIdOf('suspension', suspensionId);
      const isTaken = await signalIfOpen(getClient(), workflowId, expireNowSignal, deadline);
      return isTaken || isOver(workflowId);
    },
    expireIntent: (intentId, deadline) =>
      signalIfOpen(getClient(), peerIdOf('intent', intentId), expireNowSignal, deadline),
    appendEvent: (note) => appendEvent(getClient(), peerIdOf('intent', note.intent_id), note),
    askOn,
  };
}

/** Sends an Update; undefined if the workflow has ended. Throws its refusal as it is. */
async function updateIfOpen<Input extends object, Reply>(
  workflowId: string,
  update: UpdateDefinition<Reply, [Input]>,
  input: Input,
): Promise<Reply | undefined> {
  const { workflow } = getClient();
  try {
    return await inTime(workflow, () =>
      workflow.getHandle(workflowId).executeUpdate(update, { args: [input] }),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw isRefused(error) ? error.cause : error;
  }
}

async function goesOn(workflowId: string, runId: string): Promise<boolean> {
  const { workflow } = getClient();
  try {
    const now = await inTime(workflow, () => workflow.getHandle(workflowId).describe());
    return now.status.name === 'RUNNING' && now.runId !== runId;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** Whether a workflow existed and is closed; one that has just started still needs the message. */
async function isOver(workflowId: string): Promise<boolean> {
  const handle = getClient().workflow.getHandle(workflowId);
  const end = await endOfWorkflow(handle, async () => ({ kind: 'completed' as const }));
  return end !== undefined && end.kind !== 'missing';
}

async function askOn(key: string, question: OwnQuestion): Promise<string | undefined> {
  const { intent_id, asked_by: principal, actor, draft } = question;
  const { workflow } = getClient();
  const handle = workflow.getHandle(peerIdOf('intent', intent_id));
  const by: Caller = { space: ownSpace(), principal, roles: ['agent'], groups: [] };
  // The key belongs to one question of the coordinator, which retries until it is asked.
  const input = { by, actor, draft, request: { key, body_hash: key }, is_new: true as const };
  try {
    const { suspension_id } = await inTime(workflow, () =>
      handle.executeUpdate(suspendUpdate, { args: [input], updateId: key }),
    );
    return suspension_id;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isRefused(error)) return undefined;
    throw error;
  }
}

/** gRPC codes of a workflow with as many Signals as a run accepts, and of a busy server. */
const FULL = [3, 8];

/** Signals a workflow, and distinguishes a full one from a gone one. */
async function signalOnce<A>(
  workflowId: string,
  definition: SignalDefinition<[A]>,
  argument: A,
): Promise<Taken> {
  try {
    return (await signalIfOpen(getClient(), workflowId, definition, argument)) ? 'taken' : 'gone';
  } catch (error) {
    if (hasCode(error, FULL)) return 'full';
    throw error;
  }
}
