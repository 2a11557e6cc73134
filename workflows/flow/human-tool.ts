import { ApplicationFailure } from '@temporalio/workflow';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { FlowContext, HumanNode, Left } from '../../domain/flow/definition.js';
import { judgeBySchema } from '../../domain/schema/judge.js';
import { decided } from './nested.js';

/** A human node that is offered to a model, in the form that model providers share. */
export interface HumanTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the model's input. */
  readonly input_schema: JsonObject;
  /**
   * Asks for a call of the model, and waits as a flow does. The person sees `message`, and the prompt can refer to
   * it. A call that does not fit the schema asks nobody, and returns what is wrong.
   */
  readonly call: (input: JsonValue, context?: FlowContext) => Promise<HumanToolResult>;
}

export interface HumanToolResult extends Pick<Left, 'request_id'> {
  /** The decision with its data, respondent and comment, as JSON; or the error. */
  readonly content: string;
  readonly is_error: boolean;
}

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    message: {
      type: 'string',
      minLength: 1,
      maxLength: LIMITS.questionCharacters,
      description: 'What the person needs to know to decide.',
    },
  },
  required: ['message'],
  additionalProperties: false,
};

/**
 * Offers a human node to a model, which asks for advice when it wants to. It is no gate: a call that needs approval
 * is gated where it runs (JC-29). If a question cannot be asked, for example because it is too long or seems to
 * contain a credential, the model reads the error. Throws only the cancellation of its scope.
 */
export function humanTool(node: HumanNode): HumanTool {
  const { name, description } = node;
  return {
    name,
    description,
    input_schema: INPUT,
    async call(input, context = {}) {
      const judged = judgeBySchema(INPUT, input, 'input');
      if (!judged.ok) return { content: judged.refusal.detail, is_error: true };
      const { message } = input as { readonly message: string };
      const keys = node.context_keys;
      const asked = { ...node, context_keys: keys === null ? null : [...keys, 'message'] };
      const left = await orRefusal(
        decided(asked, { ...context, message }, { tool_call: { name, input } }),
      );
      if (typeof left === 'string') return { content: left, is_error: true };
      const { outcome, request_id, data, error } = left;
      const content = error ?? JSON.stringify(data ?? { decision: outcome });
      return { content, is_error: error !== undefined, ...(request_id && { request_id }) };
    },
  };
}

/** Returns the decision, or the reason why the question cannot be asked. */
async function orRefusal(asking: Promise<Left>): Promise<Left | string> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.nonRetryable !== true) throw error;
    return error.message;
  }
}
