import type { EntityKey } from '../contracts/kernel/entity-key.js';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { QuestionEnd, Reconciliation } from '../activities/ports/reconciliation.js';
import type { ActivityStore } from '../activities/ports/store.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { JournalRow, JournalWatch } from '../contracts/log/journal.js';
import type { LiveView } from '../contracts/suspension/view.js';
import { isSettled, settlementOf } from '../domain/suspension/record/state.js';
import { announceFeed } from '../store/feed/notices.js';
import { writeRows } from '../store/journal-writer.js';
import { inSpace } from '../store/in-space.js';
import { recountBlocks } from '../store/queries/blocks.js';
import { settleSuspension } from '../store/queries/lost-suspension.js';
import { findSuspension } from '../store/queries/suspension.js';
import {
  intentsBehind,
  isBehind,
  notCreated,
  notOpened,
  notSettled,
  openQuestions,
} from '../store/queries/unsettled.js';
import type { Store } from '../store/schema.js';
import { writeSignal } from '../workflows/engine/messages.js';
import { subjectIn } from '../workflows/engine/search-attributes.js';
import {
  inputReportSignal,
  progressQuery,
  recordQuery,
  suspensionReportSignal,
} from '../workflows/suspension/messages.js';
import type { SuspensionReport } from '../workflows/suspension/messages.js';
import type { suspension } from '../workflows/suspension/workflow.js';
import { approvalReconciliation } from './approval-reconciliation.js';
import { forgottenOutcomes } from './forgotten-outcomes.js';
import { NO_WORKER, asked, hasCode, inTime, isAway, signalIfOpen } from './calls.js';
import { endedIn, runningSince } from './listed.js';
import { lostEntities } from './lost-entities.js';
import { PAGE, endOfWorkflow, pagesFrom } from './placed-pages.js';

function workflowOf({ id, space }: EntityKey): string {
  return workflowIdOf('suspension', id, space);
}

/** Reads and settles questions of any space in a store. */
export function storedQuestions(
  db: Store,
  watch?: JournalWatch,
): Pick<ActivityStore, 'findSuspension' | 'settleSuspension'> {
  return {
    findSuspension: (id, space) => findSuspension(inSpace(db, space), id),
    settleSuspension: (id, settlement, space) => settleSuspension(db, id, settlement, space, watch),
  };
}

/** Questions, and the intents that ask them, as a store and a Temporal namespace have them. */
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
    recountBlocks: async (goOn) => {
      const beat = (): boolean => {
        goOn();
        return true;
      };
      if ((await recountBlocks(db, beat)) > 0) announceFeed(db);
    },
    tell: (outcome, space) => tell(client(), outcome, space),
    isAway,
  };
}

/** How the workflow of a question ended; undefined while it goes on. */
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

/** Reports the end of a question to its intent, or to the workflow that its timeline or else Temporal names; only a first report counts. */
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
