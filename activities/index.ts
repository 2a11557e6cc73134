import { ApplicationFailure } from '@temporalio/common';
import { Context, log } from '@temporalio/activity';
import { defined } from '../contracts/constants/defined.js';
import type { JournalRow } from '../contracts/log/journal.js';
import { announce, expireQuestions, noteIntent, observeIntents, readMembers } from './announce.js';
import { deliverCheckpoints, signCheckpoint } from './checkpoints.js';
import { deliverEvents } from './deliver-events.js';
import { shortened } from '../domain/kernel/text.js';
import type { ActivityDependencies } from './dependencies.js';
import { tellOutcomes } from './follow-ups.js';
import {
  judgeToolCalls,
  peopleIn,
  prepareApproval,
  prepareInput,
  saveSnapshot,
} from './agent-calls.js';
import { pickUpCall } from './pick-up.js';
import type { ReconcileWatch } from './look.js';
import { noteApproval, noteMutation, readProposal } from './approval-log.js';
import { notify } from './notify.js';
import { sendPushes } from './push/pushes.js';
import { reconcile } from './reconcile.js';
import { settleLost } from './settle-ended.js';
import { beating, ownSpace } from './own-call.js';
import type { Activities, ReconcileRequest, Reconciled } from './types.js';
import { wakeSubscriptions } from './wake-subscriptions.js';

/** The pauses after the first tries, in milliseconds. Including the tries, they take some 20 s. */
const FIRST_PAUSES_MS = [250, 1_000, 4_000, 16_000];
/**
 * The later pauses, in milliseconds, plus up to half as long again, so that workflows that failed together spread
 * out.
 */
const PAUSE_MS = 60_000;
const SPREAD = 0.5;

/**
 * The failure of a write to the store, with the time until the next try. Temporal's retry policies have no jitter, so
 * after an outage all workflows would write at once.
 *
 * @param attempt - the number of the failed try, from 1 on
 * @param random - between 0 and 1
 */
export function journalFailure(
  error: unknown,
  attempt: number,
  random = Math.random(),
): ApplicationFailure {
  const pauseMs = FIRST_PAUSES_MS[attempt - 1] ?? PAUSE_MS;
  const nextRetryDelay = Math.round(pauseMs * (1 + SPREAD * random));
  return ApplicationFailure.fromError(error, { nextRetryDelay });
}

/** Creates every activity that a worker registers. Errors are rethrown: Temporal, or the workflow, retries. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  const { store, workflows, retention } = dependencies;
  return {
    writeJournal: async (rows) => {
      const { attempt } = Context.current().info;
      const refused = await warned('journal rows not written', countKinds(rows), () =>
        store.writeRows(rows),
      ).catch((error: unknown) => {
        throw journalFailure(error, attempt);
      });
      for (const row of refused) log.error('journal row refused', { ...row });
    },
    linkDependency: (edge) =>
      warned('edge not added', { intent_id: edge.intent_id }, () => store.linkDependency(edge)),
    readMembers: (request) => readMembers(store, request),
    readTasks: (taskIds) => store.taskNews(taskIds),
    prepareInput: (request, space = ownSpace()) => prepareInput(dependencies, request, space),
    judgeToolCalls: (request, space = ownSpace()) =>
      judgeToolCalls(dependencies.config, request, () => peopleIn(space, dependencies), space),
    saveSnapshot: (snapshot, space = ownSpace()) => saveSnapshot(dependencies, snapshot, space),
    noteApproval: (note) => noteApproval(dependencies, note),
    noteMutation: (found, space = ownSpace()) => noteMutation(dependencies, found, space),
    readProposal: (approvalId, decidedIn) => readProposal(store, approvalId, decidedIn),
    settleLost: (suspensionId, space = ownSpace()) => settleLost(dependencies, suspensionId, space),
    prepareApproval: (request, space) => prepareApproval(dependencies, request, space),
    pickUpCall: (request) => pickUpCall(dependencies, request),
    goesOn: (workflowId, runId) => workflows.goesOn(workflowId, runId),
    notify: (request, rest) => notify(dependencies, request, rest),
    deliverEvents: (request) => deliverEvents(dependencies, request),
    wakeSubscriptions: (request) => wakeSubscriptions(dependencies, request),
    announce: (batch) => announce(workflows, batch),
    observeIntents: (request) => observeIntents(workflows, store, request),
    expireQuestions: (batch) => expireQuestions(workflows, batch),
    signCheckpoint: () => signCheckpoint(dependencies),
    deliverCheckpoints: () => deliverCheckpoints(dependencies),
    markSettled: () => retention.mark(beating()),
    removeMarked: async () => {
      const removed = await retention.remove(beating());
      log.info('retention', { removed });
    },
    tellOutcomes: () => tellOutcomes(dependencies),
    sendPushes: () => sendPushes(dependencies),
    reconcile: (request) =>
      reconcile(dependencies, resumed(request), { ...inSlices(), ...loggedLook(dependencies) }),
    noteIntent: (note) => noteIntent(workflows, note),
  };
}

/** How long a look runs at most, in milliseconds, before it continues in another activity. */
const SLICE_MS = 180_000;

/** Records a look's progress in heartbeats, and ends it in time. */
function inSlices(): Pick<ReconcileWatch, 'goOn' | 'isOver'> {
  const context = Context.current();
  const end = performance.now() + SLICE_MS;
  return {
    goOn(soFar) {
      context.heartbeat(soFar);
      context.cancellationSignal.throwIfAborted();
    },
    isOver: () => performance.now() > end,
  };
}

function resumed(request: ReconcileRequest): ReconcileRequest {
  const so_far = Context.current().info.heartbeatDetails as Reconciled | undefined;
  return { ...request, ...defined({ so_far: so_far ?? request.so_far }) };
}

function loggedLook({
  found: count,
}: Pick<ActivityDependencies, 'found'>): Pick<ReconcileWatch, 'found' | 'warn'> {
  return {
    found({ id, space, asked_by, waiting_workflow }, finding, type, reason) {
      const short = shortened(id);
      if (finding === 'failed') log.warn('not reconciled', { type, id: short, space, reason });
      else if (finding === 'contradicted') {
        // The store keeps its outcome, and the agent has gone on with another: a person has to look.
        log.error('question contradicted', {
          suspension: short,
          space,
          asked_by,
          waiting_workflow,
        });
      } else {
        const called = type === 'suspension' ? 'question' : type;
        log.warn(`${called} reconciled`, { [type]: short, finding });
      }
      count?.(finding);
    },
    warn(event, reason) {
      log.warn(event, { reason });
    },
  };
}

/** Logs a failed call to the store in one line. `about` must not contain values that are written. */
async function warned<T>(event: string, about: object, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    log.warn(event, { ...about });
    throw error;
  }
}

function countKinds(rows: readonly JournalRow[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { rows: rows.length };
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
