import type { EntityKey } from '../contracts/kernel/primitives.js';
import type {
  ApprovalEnd,
  ApprovalReconciliation,
  ForgottenOutcomes,
  QuestionEnd,
  Reconciliation,
} from '../activities/ports/reconciliation.js';
import { noteApproval } from '../activities/approval-log.js';
import { SERVER } from '../contracts/constants/callers.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { JournalRow, JournalWatch } from '../contracts/log/journal.js';
import { inSpace } from '../store/in-space.js';
import { writeRows } from '../store/journal-writer.js';
import { findApproval } from '../store/queries/approval.js';
import { appendToRun } from '../store/queries/run-log.js';
import {
  approvalsWithout,
  intentsBehind,
  isBehind,
  notCreated,
  notOpened,
  notSettled,
  openQuestions,
  openQuestionsOf,
  settledBetween,
  settledOf,
  waitingApprovals,
} from '../store/queries/work/unsettled.js';
import type { Store } from '../store/schema.js';
import { approvalRowQuery } from '../workflows/approval/messages.js';
import {
  inputReportSignal,
  progressQuery,
  recordQuery,
  restoreSignal,
  suspensionReportSignal,
  withdrawSignal,
  type SuspensionReport,
} from '../workflows/suspension/messages.js';
import { NO_WORKER, appendEvent, asked, hasCode, inTime, isAway, signalIfOpen } from './calls.js';
import { PAGE, endOfWorkflow, endedIn, pagesFrom, runningOf, runningSince } from './listed.js';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { isSettled, settlementOf } from '../domain/suspension/record/state.js';
import { findSuspension, knownOutcome } from '../store/queries/suspension.js';
import { contradicted } from '../store/queries/work/quarantine.js';
import type { ActivityStore } from '../activities/ports/store.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import type { LiveView } from '../contracts/suspension/view.js';
import { settleSuspension } from '../store/queries/work/lost-entity.js';
import { writeSignal } from '../workflows/engine/messages.js';
import { subjectIn } from '../workflows/engine/search-attributes.js';
import type { suspension } from '../workflows/suspension/workflow.js';
import { lostEntities } from './lost-entities.js';

/** Access to the approvals of a store and a Temporal namespace, except those that Temporal lists. */
function approvalReconciliation(
  db: Store,
  client: () => Pick<Client, 'workflow'>,
  watch?: JournalWatch,
): Omit<ApprovalReconciliation, 'endedIn'> {
  return {
    openIn: (until, place) => pagesFrom((page) => waitingApprovals(db, { until, ...page }), place),
    notKnown: (page) => approvalsWithout(db, page, 'a row'),
    notDecided: (page) => approvalsWithout(db, page, 'a decision'),
    endOf: (placed) => endOfApproval(client(), placed),
    find: ({ id, space }) => findApproval(inSpace(db, space), id),
    async withdrawQuestions(placed, reason) {
      const withdrawal = {
        intent_id: null,
        cancelled_by: SERVER.principal,
        settled_by: 'system',
        reason,
      } as const;
      for (const id of await openQuestionsOf(db, placed)) {
        const question = workflowIdOf('suspension', id, placed.space);
        await signalIfOpen(client(), question, withdrawSignal, withdrawal);
      }
    },
    async writeRow(row, space) {
      await writeRows(db, [row], space, watch);
    },
    note: (note, space) =>
      noteApproval(
        {
          store: { appendToRun: (one, salt) => appendToRun(db, one, salt, space) },
          workflows: {
            appendEvent: (one) =>
              appendEvent(client(), workflowIdOf('intent', one.intent_id, space), one),
          },
        },
        note,
      ),
  };
}

/** Returns how the workflow of an approval ended; a closed one can be asked as long as Temporal keeps it. */
function endOfApproval(
  { workflow }: Pick<Client, 'workflow'>,
  { id, space }: EntityKey,
): Promise<ApprovalEnd | undefined> {
  const handle = workflow.getHandle(workflowIdOf('approval', id, space));
  return endOfWorkflow(handle, async () => ({
    kind: 'decided',
    row: await asked(workflow, () => handle.query(approvalRowQuery)),
  }));
}

/** Access to outcomes in a store that a Temporal namespace may have forgotten. */
function forgottenOutcomes(db: Store, client: () => Pick<Client, 'workflow'>): ForgottenOutcomes {
  return {
    settledIn: (range, place) =>
      pagesFrom((page) => settledBetween(db, { ...range, ...page }), place),
    settledOf: (page, until) => settledOf(db, page, until),
    runningOf: (page) => runningOf(client(), 'suspension', page),
    handIn: (question) => handIn(db, client(), question),
    contradicted: (range, place) =>
      pagesFrom((page) => contradicted(db, { range, ...page }), place),
  };
}

function workflowOfQuestion({ id, space }: EntityKey): string {
  return workflowIdOf('suspension', id, space);
}

async function handIn(
  db: Store,
  client: Pick<Client, 'workflow'>,
  question: EntityKey,
): Promise<boolean> {
  const { workflow } = client;
  const workflowId = workflowOfQuestion(question);
  try {
    const { record } = await asked(workflow, () =>
      workflow.getHandle(workflowId).query(recordQuery),
    );
    if (isSettled(record)) return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
  const known = await knownOutcome(inSpace(db, question.space), question.id);
  if (known === undefined) return false;
  if (known === 'erased') throw new Error('the stored outcome was erased, and cannot be handed in');
  return signalIfOpen(client, workflowId, restoreSignal, known);
}

function workflowOf({ id, space }: EntityKey): string {
  return workflowIdOf('suspension', id, space);
}

export function storedQuestions(
  db: Store,
  watch?: JournalWatch,
): Pick<ActivityStore, 'findSuspension' | 'settleSuspension'> {
  return {
    findSuspension: (id, space) => findSuspension(inSpace(db, space), id),
    settleSuspension: (id, settlement, space) => settleSuspension(db, id, settlement, space, watch),
  };
}

/** Access to the questions, and the intents that ask them, of a store and a Temporal namespace. */
export function reconciliation(
  db: Store,
  client: () => Pick<Client, 'workflow'>,
  watch?: JournalWatch,
): Reconciliation {
  return {
    entities: lostEntities(db, client, watch),
    forgotten: forgottenOutcomes(db, client),
    approvals: {
      ...approvalReconciliation(db, client, watch),
      endedIn: (range, place) => endedIn(client(), 'approval', range, place),
    },
    endedIn: (range, place) => endedIn(client(), 'suspension', range, place),
    openIn: (until, place) => pagesFrom((page) => openQuestions(db, { until, ...page }), place),
    runningSince: (type, range, place) => runningSince(client(), type, range, place),
    notSettled: (page) => notSettled(db, page),
    notOpened: (page) => notOpened(db, page),
    notCreated: (page) => notCreated(db, page),
    intentsBehind: (page, until) => intentsBehind(db, page, until),
    lookUp: (question) => lookUp(client(), question),
    progressOf: (question) => progressOf(db, client(), question),
    askToWrite: (type, { id, space }) =>
      signalIfOpen(client(), workflowIdOf(type, id, space), writeSignal),
    endOf: (question) => endOf(client(), question),
    writeRows: async (rows, space) => {
      for (let at = 0; at < rows.length; at += PAGE) {
        await writeRows(db, rows.slice(at, at + PAGE), space, watch);
      }
    },
    tell: (outcome, space) => tell(client(), outcome, space),
    isAway,
  };
}

/** Returns how the workflow of a question ended; undefined while it runs. */
export function endOf(
  { workflow }: Pick<Client, 'workflow'>,
  question: EntityKey,
): Promise<QuestionEnd | undefined> {
  const handle = workflow.getHandle<typeof suspension>(workflowOf(question));
  return endOfWorkflow(handle, async () => {
    const { rows, ...settlement } = await handle.result();
    return { kind: 'settled', settlement: settlementOf(settlement), rows };
  });
}

/** Reads a question from its workflow; a closed one can be asked as long as Temporal keeps it. */
export async function lookUp(
  { workflow }: Pick<Client, 'workflow'>,
  question: EntityKey,
): Promise<LiveView | undefined> {
  try {
    const handle = workflow.getHandle(workflowOf(question));
    return await asked(workflow, () => handle.query(recordQuery));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** How long a Query may take, in milliseconds; a worker that runs answers well within that. */
const ANSWER_MS = 5_000;

/** Returns the progress of an open question, if the store shows less. */
async function progressOf(
  db: Store,
  { workflow }: Pick<Client, 'workflow'>,
  question: EntityKey,
): Promise<JournalRow | 'no_worker' | undefined> {
  try {
    const row = await workflow.withDeadline(Date.now() + ANSWER_MS, () =>
      workflow.getHandle(workflowOf(question)).query(progressQuery),
    );
    return row !== null && (await isBehind(db, question, row.revision)) ? row : undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    if (hasCode(error, NO_WORKER)) return 'no_worker';
    throw error;
  }
}

/**
 * Reports the end of a question to its intent, or to the workflow in its timeline or else in Temporal; only the first
 * report counts.
 */
async function tell(
  client: Pick<Client, 'workflow'>,
  { id, intent_id, record, attempt, timeline }: LiveView,
  space: string,
): Promise<void> {
  if (!isSettled(record)) return;
  const own = { suspension_id: id, report_sequence: LAST_REVISION };
  const report: SuspensionReport = { ...own, kind: 'settled', record, attempt };
  if (intent_id !== null) {
    const intent = workflowIdOf('intent', intent_id, space);
    await signalIfOpen(client, intent, suspensionReportSignal, report);
    return;
  }
  const opened = timeline.find(({ kind }) => kind === 'opened');
  const workflowId = opened
    ? opened.detail['workflow_id']
    : await listedSubject(client, { id, space });
  if (typeof workflowId !== 'string') return;
  await signalIfOpen(client, workflowId, inputReportSignal, report);
}

/** Returns the workflow that waits for a question whose timeline the store lacks because the question was terminated. */
async function listedSubject(
  { workflow }: Pick<Client, 'workflow'>,
  question: EntityKey,
): Promise<string | undefined> {
  try {
    const handle = workflow.getHandle(workflowOf(question));
    const { typedSearchAttributes } = await inTime(workflow, () => handle.describe());
    return subjectIn(typedSearchAttributes);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
