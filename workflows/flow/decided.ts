import { workflowInfo } from '@temporalio/workflow';
import { ERROR } from '../../domain/flow/definition.js';
import type { FlowContext, HumanNode, Left } from '../../domain/flow/definition.js';
import { dataOf, questionAt, responseOf, tierOf } from '../../domain/flow/request.js';
import type { Reached } from '../../domain/flow/request.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import { awaitSettled, openInput } from '../human/request-input.js';
import { tellParent } from './nested.js';

/**
 * Asks what a human node asks, and waits for as long as it takes: no error, and never tried again (JC-02, JC-39). An
 * outer flow only notes that this one waits.
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
