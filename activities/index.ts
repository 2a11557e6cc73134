import { log } from '@temporalio/activity';
import type { JournalRow } from '../contracts/journal.js';
import { announce, expireQuestions, observeIntents, readMembers } from './announce.js';
import { deliverCheckpoints, signCheckpoint } from './checkpoints.js';
import { deliverEvents } from './deliver-events.js';
import { shortened } from '../domain/kernel/text.js';
import type { ActivityDependencies } from './dependencies.js';
import { tellOutcomes } from './follow-ups.js';
import { peopleIn, prepareInput } from './inputs.js';
import { judgeToolCalls } from './judge-calls.js';
import type { ReconcileWatch } from './look.js';
import { noteApproval, noteMutation } from './note-approval.js';
import { notify } from './notify.js';
import { reconcile } from './reconcile.js';
import { markSettled, removeMarked } from './retention.js';
import { saveSnapshot } from './snapshots.js';
import { settleLost } from './settle-ended.js';
import { beating, ownSpace } from './own-call.js';
import type { Activities } from './types.js';
import { wakeSubscriptions } from './wake-subscriptions.js';

/** Every activity that a worker registers. Errors are thrown on: Temporal, or the workflow, tries again. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  const { store, workflows } = dependencies;
  return {
    writeJournal: async (rows) => {
      const refused = await warned('journal rows not written', countKinds(rows), () =>
        store.writeRows(rows),
      );
      for (const row of refused) log.error('journal row refused', { ...row });
    },
    linkDependency: (edge) =>
      warned('edge not added', { intent_id: edge.intent_id }, () => store.linkDependency(edge)),
    readMembers: (request) => readMembers(store, request),
    readTasks: (taskIds) => store.taskNews(taskIds),
    prepareInput: (request, space = ownSpace()) => prepareInput(dependencies, request, space),
    judgeToolCalls: (request, space = ownSpace()) =>
      judgeToolCalls(dependencies.config, request, () => peopleIn(space, dependencies)),
    saveSnapshot: (snapshot, space = ownSpace()) => saveSnapshot(dependencies, snapshot, space),
    noteApproval: (note) => noteApproval(dependencies, note),
    noteMutation: (found, space = ownSpace()) => noteMutation(dependencies, found, space),
    readProposal: async (approvalId, questions = []) =>
      (await store.storedProposal(approvalId, questions)) ?? null,
    settleLost: (suspensionId, space = ownSpace()) => settleLost(dependencies, suspensionId, space),
    notify: (request, rest) => notify(dependencies, request, rest),
    deliverEvents: (request) => deliverEvents(dependencies, request),
    wakeSubscriptions: (request) => wakeSubscriptions(dependencies, request),
    announce: (batch) => announce(workflows, batch),
    observeIntents: (request) => observeIntents(workflows, store, request),
    expireQuestions: (batch) => expireQuestions(workflows, batch),
    signCheckpoint: () => signCheckpoint(dependencies),
    deliverCheckpoints: () => deliverCheckpoints(dependencies),
    markSettled: () => markSettled(dependencies),
    removeMarked: () => removeMarked(dependencies),
    tellOutcomes: () => tellOutcomes(dependencies),
    reconcile: (request) => {
      const found: ReconcileWatch['found'] = ({ id, space }, finding, type, reason) => {
        if (finding === 'failed')
          log.warn('not reconciled', { type, id: shortened(id), space, reason });
        else if (type === 'approval')
          log.warn('approval reconciled', { approval: shortened(id), finding });
        else log.warn('question reconciled', { suspension: shortened(id), finding });
        dependencies.found?.(finding);
      };
      const warn = (event: string, reason: string): void => {
        log.warn(event, { reason });
      };
      return reconcile(dependencies, request, { goOn: beating(), found, warn });
    },
    noteIntent: async (note) => {
      await workflows.appendEvent(note);
    },
  };
}

/** Logs a failed call to the store in one line. `about` must not have values of what is written. */
async function warned<T>(event: string, about: object, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    log.warn(event, { ...about });
    throw error;
  }
}

/** How many rows there are, of which kind. */
function countKinds(rows: readonly JournalRow[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { rows: rows.length };
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
