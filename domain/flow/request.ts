import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { InputBody } from '../../contracts/suspension/requests.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { valueAt } from '../kernel/json.js';
import { SECOND_MS } from '../kernel/time.js';
import type { FlowContext, HumanNode } from './definition.js';
import { defined } from '../../contracts/constants/defined.js';

/** Where a node is: the state of the flow or the call of the model, and the workflow that runs it (JC-37). */
export interface Reached {
  readonly workflow_state?: string;
  readonly tool_call?: JsonObject;
  readonly agent_id: string;
  readonly agent_module: string;
}

/** A person's decision at a node (JC-38). The authenticated principal is the respondent. */
export interface ApprovalResponse {
  readonly request_id: string;
  readonly decision: string;
  readonly data: JsonObject;
  readonly respondent: string;
  readonly comment?: string;
}

/** The intended length of a wait. With Temporal no wait occupies a process, so all waits continue in the same way. */
export const TIERS = ['live_wait', 'hibernate_intent', 'full_checkpoint'] as const;
export type Tier = (typeof TIERS)[number];

/**
 * The tier of a node's wait, determined once, when it begins (JC-57, JC-58, JC-59). Without a timeout it is never
 * long.
 */
export function tierOf({ timeout, hibernate, hibernate_after }: HumanNode): Tier {
  const isLong = timeout !== null && hibernate_after !== null && timeout >= hibernate_after;
  if (isLong) return 'full_checkpoint';
  return hibernate ? 'hibernate_intent' : 'live_wait';
}

/** A new expression each time, because expressions have a position and workflow code must not share it. */
const placeholders = () => /\{\{\s*([\w.]+)\s*\}\}/g;

/**
 * Returns the question of a human node (JC-04, JC-36, JC-37): the whole request except its id, which is that of the
 * suspension, and only the context that the node lists (JC-20). A timeout is rounded up, because questions wait whole
 * seconds.
 */
export function questionAt(node: HumanNode, context: FlowContext, reached: Reached): InputBody {
  const visible_context = visibleTo(node, context);
  const {
    prompt,
    allowed_responses,
    response_schema,
    timeout,
    timeout_outcome,
    channel_hint,
    decision_rule,
  } = node;
  return {
    question: typeof prompt === 'function' ? prompt(context) : filledIn(prompt, visible_context),
    response_type: 'choice',
    choices: allowed_responses.map((value) => ({ value, label: labelOf(value) })),
    context: {
      visible_context,
      node_name: node.name,
      description: node.description,
      ...reached,
      ...(timeout !== null && { timeout, timeout_outcome }),
      ...hintsOf(node),
      metadata: node.metadata,
    },
    ...(response_schema !== null && { response_schema }),
    fallback_policy: 'fail',
    inherit_retry_policy: false,
    ...(timeout !== null && { timeout_seconds: Math.ceil(timeout / SECOND_MS) }),
    ...defined({ channel_hint, decision_rule }),
  };
}

/** Returns a node's hints about its wait and the resulting tier, if it has any. */
function hintsOf(node: HumanNode): JsonObject {
  const { hibernate, hibernate_after } = node;
  if (!hibernate && hibernate_after === null) return {};
  return { hibernate, hibernate_after, tier: tierOf(node) };
}

/** The part of the context that the person at this node may see (JC-16, JC-20). */
export function visibleTo(
  { context_keys: keys }: Pick<HumanNode, 'context_keys'>,
  context: FlowContext,
): FlowContext {
  if (keys === null) return context;
  return Object.fromEntries(Object.entries(context).filter(([key]) => keys.includes(key)));
}

/** Fills in each `{{path}}`; unknown paths stay visible. */
function filledIn(template: string, visible: FlowContext): string {
  return template.replace(placeholders(), (place, path: string) => {
    const value = valueAt(visible, path.split('.'));
    if (value === undefined) return place;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function labelOf(word: string): string {
  const words = word.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The decision of a question that a person has answered, with the data and the comment that came with it. */
export function responseOf(record: SettledRecord): ApprovalResponse {
  const { data = {}, comment } = record;
  return {
    request_id: record.id,
    decision: typeof record.response === 'string' ? record.response : '',
    data,
    respondent: record.submitted_by ?? record.responded_by ?? '',
    ...defined({ comment }),
  };
}

/**
 * Returns what is stored in the context under the node's name (JC-44): the data, and the decision, which the data
 * cannot overwrite.
 */
export function dataOf({ data, decision, respondent, comment }: ApprovalResponse): JsonObject {
  return { ...data, decision, respondent, ...defined({ comment }) };
}
