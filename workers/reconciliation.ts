import {
  QueryNotRegisteredError,
  WorkflowNotFoundError,
  isGrpcServiceError,
} from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type {
  ActivityStore,
  AskedToWrite,
  PlacedQuestion,
  QuestionEnd,
  Reconciliation,
  TimeRange,
} from '../activities/dependencies.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import {
  WORKFLOW_TYPES,
  entityIdOf,
  spaceOfWorkflow,
  workflowIdOf,
} from '../contracts/constants/names.js';
import type { JournalRow, JournalWatch } from '../contracts/journal.js';
import type { LiveView } from '../contracts/suspension-view.js';
import { isSettled, settlementOf } from '../domain/suspension/state.js';
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
import type { OpenKey } from '../store/queries/unsettled.js';
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
import { eachInTime, inTime } from './in-time.js';
import { isAway } from './is-away.js';
import { PAGE, endOfWorkflow, pagesFrom } from './placed-pages.js';
import { signalIfOpen } from './signal-if-open.js';

/** All that ends a question. A run that goes on in another one does not. */
const ENDED = `'Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut'`;
function between({ from, to }: TimeRange): string {
  return `BETWEEN '${from}' AND '${to}'`;
}

function ofType(type: AskedToWrite): string {
  return `WorkflowType = '${WORKFLOW_TYPES[type]}'`;
}

function workflowOf({ id, space }: PlacedQuestion): string {
  return workflowIdOf('suspension', id, space);
}

/** Questions of any space in a store. */
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
  const endedOf = (type: AskedToWrite, range: TimeRange) => {
    const query = `${ofType(type)} AND ExecutionStatus IN (${ENDED}) AND CloseTime ${between(range)}`;
    return pagesOf(type, client(), query);
  };
  return {
    approvals: {
      ...approvalReconciliation(db, client, watch),
      endedIn: (range) => endedOf('approval', range),
    },
    endedIn: (range) => endedOf('suspension', range),
    openIn: (until) => pagesFrom<OpenKey>((page) => openQuestions(db, { until, ...page })),
    runningSince: (type, range) => {
      const when = typeof range === 'string' ? `<= '${range}'` : between(range);
      const query = `${ofType(type)} AND ExecutionStatus = 'Running' AND StartTime ${when}`;
      return pagesOf(type, client(), query);
    },
    notSettled: (page) => notSettled(db, page),
    notOpened: (page) => notOpened(db, page),
    notCreated: (page) => notCreated(db, page),
    intentsBehind: (page) => intentsBehind(db, page),
    lookUp: (question) => lookUp(client(), question),
    progressOf: (question) => progressOf(db, client(), question),
    askToWrite: async (type, { id, space }) => {
      await signalIfOpen(client(), workflowIdOf(type, id, space), writeSignal);
    },
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

async function* pagesOf(
  type: AskedToWrite,
  { workflow }: Pick<Client, 'workflow'>,
  query: string,
): AsyncIterable<readonly PlacedQuestion[]> {
  let page: PlacedQuestion[] = [];
  const listed = workflow.list({ query, pageSize: PAGE });
  for await (const { workflowId } of eachInTime(workflow, listed)) {
    const space = spaceOfWorkflow(workflowId);
    page.push({ id: entityIdOf(workflowId, type), space });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** How the workflow of a question ended; undefined while it goes on. */
export function endOf(
  { workflow }: Pick<Client, 'workflow'>,
  question: PlacedQuestion,
): Promise<QuestionEnd | undefined> {
  const handle = workflow.getHandle<typeof suspension>(workflowOf(question));
  return endOfWorkflow(handle, async () => {
    const { rows, ...settlement } = await handle.result();
    return { kind: 'settled', settlement: settlementOf(settlement), rows };
  });
}

/** A closed workflow can be asked as long as Temporal keeps it. */
export async function lookUp(
  { workflow }: Pick<Client, 'workflow'>,
  question: PlacedQuestion,
): Promise<LiveView | undefined> {
  try {
    const handle = workflow.getHandle(workflowOf(question));
    return await inTime(workflow, () => handle.query(recordQuery));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** A worker that runs answers well within that, in milliseconds. */
const ANSWER_MS = 5_000;
/** gRPC status codes of a Query that no worker takes: CANCELLED and DEADLINE_EXCEEDED, and FAILED_PRECONDITION for "no poller". */
const NO_WORKER: readonly number[] = [1, 4, 9];

function isNoWorker(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && NO_WORKER.includes(each.code));
}

/** What an open question has come to, if the store shows less. A worker of before cannot say it. */
async function progressOf(
  db: Store,
  { workflow }: Pick<Client, 'workflow'>,
  question: PlacedQuestion,
): Promise<JournalRow | 'no_worker' | undefined> {
  try {
    const row = await workflow.withDeadline(Date.now() + ANSWER_MS, () =>
      workflow.getHandle(workflowOf(question)).query(progressQuery),
    );
    return row !== null && (await isBehind(db, question, row.revision)) ? row : undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || error instanceof QueryNotRegisteredError) {
      return undefined;
    }
    if (isNoWorker(error)) return 'no_worker';
    throw error;
  }
}

/** An intent, or the workflow that the timeline names, or Temporal's list without one; it takes the first report of a question, and no later one. */
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

/** The workflow that waits for a question whose timeline the store does not have, for the question was terminated. */
async function listedSubject(
  { workflow }: Pick<Client, 'workflow'>,
  question: PlacedQuestion,
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
