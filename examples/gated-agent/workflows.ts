import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
// In a project of your own: from 'holdpoint/workflows'.
import {
  gateTools,
  reportRun,
  type GatedTool,
  type PolicyAnswer,
  type ToolCall,
} from '../../workflows/human/index.js';
import type * as activities from './activities.js';
import { DEFINITIONS, type Message } from './messages.js';

const { think, readMetrics, deploy } = proxyActivities<typeof activities>({
  startToCloseTimeout: '2 minutes',
});

/** What one run of the workflow begins with. */
export interface Run {
  readonly messages: readonly Message[];
  readonly turn_index?: number;
  /** After so many turns another run goes on, so that no history grows too long. */
  readonly turns_in_run?: number;
}

const TOOLS: Readonly<Record<string, GatedTool>> = {
  read_metrics: { run: (args) => readMetrics(args) },
  deploy: {
    description: 'puts a version into service',
    input_schema: {
      type: 'object',
      properties: { env: { enum: ['staging', 'prod'] } },
      required: ['service', 'version', 'env'],
    },
    run: (args, { idempotency_key }) => deploy(args, idempotency_key),
  },
};

/** Staging is free; whatever else is deployed to is for people to decide. */
function policy({ name, arguments: args }: ToolCall): PolicyAnswer {
  if (name !== 'deploy' || args['env'] === 'staging') return 'proceed';
  return { require_approval: { reason: 'Production deployment' } };
}

/**
 * An agent that thinks, calls tools, and thinks again. Where a person has to decide it is nothing but history, for days if need
 * be; then it goes on with the very same conversation, and one result more.
 */
export async function operations(run: Run): Promise<string> {
  reportRun();
  const { turn_index: first = 0, turns_in_run = 50 } = run;
  let { messages } = run;
  for (let turn_index = first; ; turn_index += 1) {
    const isLong = workflowInfo().continueAsNewSuggested || turn_index - first >= turns_in_run;
    if (isLong) await continueAsNew<typeof operations>({ ...run, messages, turn_index });
    const { text, calls } = await think(messages, DEFINITIONS);
    messages = [...messages, { role: 'assistant', content: text, calls }];
    if (calls.length === 0) return text;
    const outcome = await gateTools({
      agent: 'operations',
      turn_index,
      calls,
      tools: TOOLS,
      approval_policy: policy,
      working_memory: { messages },
    });
    if (outcome.status !== 'completed') return outcome.reason;
    const results = outcome.results.map(({ call_id, content }): Message => ({
      role: 'tool',
      call_id,
      content,
    }));
    messages = [...messages, ...results];
  }
}
