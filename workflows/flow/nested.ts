import {
  CancellationScope,
  ParentClosePolicy,
  isCancellation,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import type { ChildNews, ChildRef } from '../../domain/flow/child-ref.js';
import { isChildNews, refAfter } from '../../domain/flow/child-ref.js';
import { ERROR } from '../../domain/flow/definition.js';
import type { FlowContext, FlowEnd, Left, NestedFlow } from '../../domain/flow/definition.js';
import { visibleTo } from '../../domain/flow/request.js';
import { onSignal } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { childNewsSignal, childrenQuery } from './messages.js';

/** In the memo of a nested flow, which then reports to the flow that started it. */
const TAG = 'holdpoint_tag';

/** Module state is per workflow: the flows that it has started, by id. */
const children = new Map<string, ChildRef>();
let listening = false;

/**
 * Runs a flow as a workflow of its own, and waits for its end, as for any other node (JC-69 to JC-71, TM-16). Only the keys
 * that the node lists go in. The final state is the outcome, and the context comes back as data.
 *
 * @param tag - where the node stands; the id of the workflow follows from it
 * @param show - called when what is known of a nested flow has changed
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
    // Cancelled on its own, it is a node that failed; cancelled with the flow around it, that is cancelled too.
    if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    return { outcome: ERROR, error: 'The nested flow was cancelled.' };
  }
}

/** Judges the result of a nested flow, which may be no end of a flow, or none that its node has announced. */
function leftBy(end: unknown, outcomes: readonly string[]): Left {
  const { state, context } = (end ?? {}) as Partial<FlowEnd>;
  if (state !== undefined && outcomes.includes(state)) {
    return { outcome: state, ...defined({ data: context }) };
  }
  return { outcome: ERROR, error: `The nested flow ended in no state of: ${outcomes.join(', ')}.` };
}

/** Returns an id for the workflow: a node that is reached again starts another one. */
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

/** Reports where this flow stands to the flow that started it, if one did. */
export async function tellParent(news: Omit<ChildNews, 'agent_id'>): Promise<void> {
  const { parent, memo, workflowId: agent_id } = workflowInfo();
  if (parent === undefined || memo?.[TAG] === undefined) return;
  await trySignal(parent.workflowId, childNewsSignal, { agent_id, ...news });
}

/** Lists the nested flows for Temporal's UI. */
export function listChildren(): readonly string[] {
  const lines = [...children.values()].map(({ agent_id, status, suspension_id }) => {
    const why = suspension_id === null ? '' : `, waits for question ${suspension_id}`;
    return `- \`${agent_id}\`: ${status}${why}`;
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}
