import type { Client } from '@temporalio/client';
import type { Place, PlacedEntity, TimeRange } from '../activities/ports/reconciliation.js';
import {
  ENTITY_TYPES,
  WORKFLOW_TYPES,
  entityIdOf,
  spaceOfWorkflow,
  typeOfWorkflow,
  workflowIdOf,
} from '../contracts/constants/names.js';
import type { WorkflowType } from '../contracts/constants/names.js';
import type { EntityKey } from '../contracts/kernel/entity-key.js';
import { eachInTime, inTime } from './calls.js';
import { PAGE } from './placed-pages.js';

/** The statuses of workflows that were ended from outside, or failed. A run that continues as new ends none. */
const BROKEN_OFF = `'Failed', 'Canceled', 'Terminated', 'TimedOut'`;
const ENDED = `'Completed', ${BROKEN_OFF}`;

type Workflows = Pick<Client, 'workflow'>;
type Pages = AsyncIterable<readonly EntityKey[]>;

/** What Temporal lists of workflows of one type that ended in a time, in pages. Its lists lag behind. */
export function endedIn(
  client: Workflows,
  type: WorkflowType,
  range: TimeRange,
  place?: Place,
): Pages {
  const query = `ExecutionStatus IN (${ENDED}) AND CloseTime ${between(range)}`;
  return pagesOfType(client, type, query, place);
}

/** What did not complete of all that may be lost, in one list. */
export function brokenOffIn(
  client: Workflows,
  range: TimeRange,
  place?: Place,
): AsyncIterable<readonly PlacedEntity[]> {
  const types = ENTITY_TYPES.map((type) => `'${WORKFLOW_TYPES[type]}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus IN (${BROKEN_OFF}) AND CloseTime ${between(range)}`;
  const placed = (workflowId: string) => {
    const type = ENTITY_TYPES.find((one) => one === typeOfWorkflow(workflowId));
    return type && { type, ...placeOf(workflowId, type) };
  };
  return pagesOf(client, query, placed, place);
}

/** The same of those that run, and were started in a time, or until an instant. */
export function runningSince(
  client: Workflows,
  type: WorkflowType,
  range: TimeRange | string,
  place?: Place,
): Pages {
  const when = typeof range === 'string' ? `<= '${range}'` : between(range);
  return pagesOfType(client, type, `ExecutionStatus = 'Running' AND StartTime ${when}`, place);
}

/** Returns those of a page whose workflows Temporal lists as running. */
export async function runningOf(
  { workflow }: Workflows,
  type: WorkflowType,
  page: readonly EntityKey[],
): Promise<readonly EntityKey[]> {
  const places = new Map(page.map((one) => [workflowIdOf(type, one.id, one.space), one]));
  const ids = [...places.keys()].map((id) => `'${id.replaceAll("'", "''")}'`);
  const query = `${ofType(type)} AND ExecutionStatus = 'Running' AND WorkflowId IN (${ids.join(', ')})`;
  const running: EntityKey[] = [];
  const listed = workflow.list({ query, pageSize: page.length });
  for await (const { workflowId } of eachInTime(workflow, listed)) {
    const one = places.get(workflowId);
    if (one) running.push(one);
  }
  return running;
}

function between({ from, to }: TimeRange): string {
  return `BETWEEN '${from}' AND '${to}'`;
}

function ofType(type: WorkflowType): string {
  return `WorkflowType = '${WORKFLOW_TYPES[type]}'`;
}

function placeOf(workflowId: string, type: WorkflowType): EntityKey {
  return { id: entityIdOf(workflowId, type), space: spaceOfWorkflow(workflowId) };
}

function pagesOfType(
  client: Workflows,
  type: WorkflowType,
  condition: string,
  place: Place | undefined,
): Pages {
  const query = `${ofType(type)} AND ${condition}`;
  return pagesOf(client, query, (workflowId) => placeOf(workflowId, type), place);
}

/** The SDK's own list keeps to itself where it goes on. */
async function* pagesOf<Placed>(
  { workflow }: Workflows,
  query: string,
  placed: (workflowId: string) => Placed | undefined,
  place: Place | undefined,
): AsyncIterable<readonly Placed[]> {
  const { namespace } = workflow.options;
  let after = place?.after ?? '';
  do {
    const nextPageToken = Buffer.from(after, 'base64');
    const list = { namespace, query, pageSize: PAGE, nextPageToken };
    const reply = await inTime(workflow, () =>
      workflow.workflowService.listWorkflowExecutions(list),
    );
    const page = reply.executions.flatMap(
      ({ execution }) => placed(execution?.workflowId ?? '') ?? [],
    );
    if (page.length > 0) yield page;
    after = Buffer.from(reply.nextPageToken).toString('base64');
    if (after !== '') place?.reached(after);
  } while (after !== '');
}
