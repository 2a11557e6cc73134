import { WorkflowNotFoundError, type Client, type WorkflowHandle } from '@temporalio/client';
import type { WaitingKey } from '../store/queries/work/unsettled.js';
import type { Place, PlacedEntity, TimeRange } from '../activities/ports/reconciliation.js';
import { eachInTime, inTime } from './calls.js';
import {
  ENTITY_TYPES,
  WORKFLOW_TYPES,
  entityIdOf,
  spaceOfWorkflow,
  typeOfWorkflow,
  workflowIdOf,
  type WorkflowType,
} from '../contracts/constants/names.js';
import type { EntityKey } from '../contracts/kernel/primitives.js';

/** The size of a page: small enough for one transaction, and for one list of ids in a query. */
export const PAGE = 200;

/** Yields the rows of the store, page by page, each read after the last key of the page before. */
export async function* pagesFrom<Row extends WaitingKey>(
  read: (page: { readonly limit: number; readonly after?: WaitingKey }) => Promise<readonly Row[]>,
  place?: Place,
): AsyncIterable<readonly Row[]> {
  let after = place?.after === undefined ? undefined : keyIn(place.after);
  do {
    const page = await read({ limit: PAGE, ...(after && { after }) });
    if (page.length > 0) yield page;
    after = page.at(-1);
    if (after) place?.reached(JSON.stringify([after.asked_at, after.id]));
  } while (after);
}

function keyIn(after: string): WaitingKey {
  const [asked_at = '', id = ''] = JSON.parse(after) as readonly string[];
  return { asked_at, id, space: '' };
}

/** Returns how a workflow has ended; undefined while it runs. `completed` reads its result, within the same deadline. */
export async function endOfWorkflow<Completed>(
  handle: Pick<WorkflowHandle, 'client' | 'describe'>,
  completed: () => Promise<Completed>,
): Promise<Completed | { readonly kind: 'gone' | 'missing' } | undefined> {
  try {
    return await inTime(handle.client, async () => {
      const { status } = await handle.describe();
      if (status.name === 'RUNNING') return undefined;
      return status.name === 'COMPLETED' ? completed() : { kind: 'gone' };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'missing' };
    throw error;
  }
}

/** The statuses of workflows that were ended from outside, or failed. A run that continues as new ends none. */
const BROKEN_OFF = `'Failed', 'Canceled', 'Terminated', 'TimedOut'`;
const ENDED = `'Completed', ${BROKEN_OFF}`;

type Workflows = Pick<Client, 'workflow'>;
type Pages = AsyncIterable<readonly EntityKey[]>;

/** Lists the workflows of one type that ended in a time, in pages. Temporal's lists lag behind. */
export function endedIn(
  client: Workflows,
  type: WorkflowType,
  range: TimeRange,
  place?: Place,
): Pages {
  const query = `ExecutionStatus IN (${ENDED}) AND CloseTime ${between(range)}`;
  return pagesOfType(client, type, query, place);
}

/** Lists the workflows of all kinds that may be lost and did not complete. */
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

/** Lists the running workflows that were started in a time, or until an instant. */
export function runningSince(
  client: Workflows,
  type: WorkflowType,
  range: TimeRange | string,
  place?: Place,
): Pages {
  const when = typeof range === 'string' ? `<= '${range}'` : between(range);
  return pagesOfType(client, type, `ExecutionStatus = 'Running' AND StartTime ${when}`, place);
}

/** Returns the entries of a page whose workflows Temporal lists as running. */
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

/** Reads the pages directly, because the SDK's own list does not reveal its position. */
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
