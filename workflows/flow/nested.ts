import {
  CancellationScope,
  ParentClosePolicy,
  defineQuery,
  defineSignal,
  isCancellation,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import {
  ERROR,
  isChildNews,
  refAfter,
  type ChildNews,
  type ChildRef,
  type FlowContext,
  type FlowEnd,
  type HumanNode,
  type Left,
  type NestedFlow,
} from '../../domain/flow/definition.js';
import {
  dataOf,
  questionAt,
  responseOf,
  tierOf,
  visibleTo,
  type Reached,
} from '../../domain/flow/request.js';
import { onSignal } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import { awaitSettled, openInput } from '../human/request-input.js';

/** Sent by a flow that another one started: it waits for a person, or continues (JC-69). */
export const childNewsSignal = defineSignal<[ChildNews]>('composer.child');

/** The flows that a workflow's flows have started, the oldest first (JC-64). */
export const childrenQuery = defineQuery<readonly ChildRef[]>('composer_children');

/** The memo field of a nested flow, which makes it report to the flow that started it. */
const TAG = 'holdpoint_tag';

/** Module state is per workflow: the flows that this one has started, by id. */
const children = new Map<string, ChildRef>();
let listening = false;

/**
 * Runs a flow in its own workflow, and waits for its end, as for any other node (JC-69 to JC-71). It gets only the
 * keys that the node lists. The final state is the outcome, and its context is returned as data.
 *
 * @param tag - the place of the node, from which the workflow's id is derived
 * @param show - called when the known state of a nested flow has changed
 */
export async function nested(
  node: NestedFlow,
  context: FlowContext,
  tag: string,
  show: () => void,
): Promise<Left> {
  listen(show);
  const { workflow, outcomes } = node;
  const id = freeId(`${workflowInfo().workflowId}.${tag}`);
  const child = await startChild(workflow, {
    workflowId: id,
    args: [visibleTo(node, context)],
    memo: { [TAG]: tag },
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    staticSummary: node.name,
  });
  const ref = {
    agent_module: workflow,
    agent_id: id,
    tag,
    checkpoint_key: child.firstExecutionRunId,
  };
  children.set(id, { ...ref, suspension_id: null, status: 'running' });
  show();
  try {
    const end: unknown = await child.result();
    const left = leftBy(end, outcomes);
    children.set(id, { ...ref, suspension_id: null, status: left.error ? 'failed' : 'completed' });
    return left;
  } catch (error) {
    children.set(id, { ...ref, suspension_id: null, status: 'failed' });
    // If only the nested flow was cancelled, its node has failed; if the flow around it is cancelled, that
    // cancellation is thrown.
    if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    return { outcome: ERROR, error: 'The nested flow was cancelled.' };
  }
}

/** Judges the result of a nested flow, which may not be the end of a flow, or not an announced outcome. */
function leftBy(end: unknown, outcomes: readonly string[]): Left {
  const { state, context } = (end ?? {}) as Partial<FlowEnd>;
  if (state !== undefined && outcomes.includes(state)) {
    return { outcome: state, ...defined({ data: context }) };
  }
  return { outcome: ERROR, error: `The nested flow ended in no state of: ${outcomes.join(', ')}.` };
}

/** Returns an unused id for the workflow: a node that is reached again starts another one. */
function freeId(id: string): string {
  let nth = 1;
  while (children.has(nth === 1 ? id : `${id}.${nth}`)) nth += 1;
  return nth === 1 ? id : `${id}.${nth}`;
}

function listen(show: () => void): void {
  if (listening) return;
  listening = true;
  onSignal(childNewsSignal, isChildNews, (news) => {
    const ref = children.get(news.agent_id);
    if (ref === undefined) return;
    children.set(news.agent_id, refAfter(ref, news));
    show();
  });
  setHandler(childrenQuery, () => [...children.values()], {
    description: 'The flows that this workflow has started',
  });
}

/** Reports the state of this flow to the flow that started it, if there is one. */
async function tellParent(news: Omit<ChildNews, 'agent_id'>): Promise<void> {
  const { parent, memo, workflowId: agent_id } = workflowInfo();
  if (parent === undefined || memo?.[TAG] === undefined) return;
  await trySignal(parent.workflowId, childNewsSignal, { agent_id, ...news });
}

export function listChildren(): readonly string[] {
  const lines = [...children.values()].map(({ agent_id, status, suspension_id }) => {
    const why = suspension_id === null ? '' : `, waits for question ${suspension_id}`;
    return `- \`${agent_id}\`: ${status}${why}`;
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/**
 * Asks the question of a human node, and waits as long as necessary. Waiting is no error, and is never retried
 * (JC-02, JC-39). An outer flow only notes that this one waits.
 */
export async function decided(
  node: HumanNode,
  context: FlowContext,
  place: Pick<Reached, 'workflow_state' | 'tool_call'>,
): Promise<Left> {
  const { workflowId: agent_id, workflowType: agent_module } = workflowInfo();
  const request_id = await openInput(
    questionAt(node, context, { ...place, agent_id, agent_module }),
  );
  const status = tierOf(node) === 'full_checkpoint' ? 'hibernated' : 'paused';
  await tellParent({ suspension_id: request_id, status });
  const { record } = await awaitSettled(request_id);
  await tellParent({ suspension_id: null, status: 'running' });
  switch (record.resolution) {
    case 'responded': {
      const response = responseOf(record);
      return { outcome: response.decision, request_id, data: dataOf(response) };
    }
    case 'expired':
      if (endedByDeadline(record)) break;
      return { outcome: node.timeout_outcome, request_id };
    case 'cancelled':
      break;
  }
  return { outcome: ERROR, request_id, error: record.reason ?? 'The question was withdrawn.' };
}
