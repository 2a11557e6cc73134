import { setTracingDisabled, tool, type AgentInputItem, type ModelRequest } from '@openai/agents';
import {
  ScriptedModel,
  assistantMessage,
  functionCall,
  modelResponder,
  type ScriptedModelResponse,
} from '@openai/agents/testing';
import { approvedCall } from 'holdpoint-client/openai-agents';
import { z } from 'zod';
import { DONE, type Script } from '../adapter.js';
import { transfer } from './bank.js';

/* The parts of an agent that the page leaves to its readers: a model, which follows its script, and a tool. */

export { approvals } from '../world.js';

// Traces would go to OpenAI.
setTracingDisabled(true);

export const schema = z.object({ to: z.string(), amount: z.number().positive() });
export const wire = tool({
  name: 'wire',
  description: 'Wires money.',
  parameters: schema,
  needsApproval: true,
  execute: (input, _context, details) => transfer(input, approvedCall(details).idempotency_key),
});

/** No process asks its model more often. */
const MOST_ANSWERS = 20;

/** What the model has read as results when it was last asked. */
export let results: readonly string[] = [];

export const model = new ScriptedModel(
  Array.from({ length: MOST_ANSWERS }, () => modelResponder(({ request }) => next(request))),
);

/** The model makes the first calls of the script that have no results. */
function next({ input }: Readonly<ModelRequest>): ScriptedModelResponse {
  const items: readonly AgentInputItem[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const ends = items.filter((item) => item.type === 'function_call_result');
  results = ends.map(({ output }) => textOf(output));
  const ended = ends.map(({ callId }) => callId);
  const open = stepsOf(items).find((step) => step.some(({ callId }) => !ended.includes(callId)));
  return open ?? [assistantMessage(DONE)];
}

/**
 * The calls of the script. The SDK runs no call of a run whose id has a result, and fails if its arguments are others: so a call
 * that comes again has an id of its own, as it has in OpenAI's API.
 */
function stepsOf([first]: readonly AgentInputItem[]) {
  const content = first !== undefined && 'content' in first ? first.content : '';
  const script = JSON.parse(typeof content === 'string' ? content : '') as Script;
  return script.map((step, turn) =>
    step.map(({ id, to, amount }) => {
      const isUsed = script.slice(0, turn).some((earlier) => earlier.some((one) => one.id === id));
      return functionCall('wire', { to, amount }, { callId: isUsed ? `${id}-${turn}` : id });
    }),
  );
}

type Output = Extract<AgentInputItem, { type: 'function_call_result' }>['output'];

function textOf(output: Output): string {
  if (typeof output === 'string') return output;
  return 'text' in output ? output.text : JSON.stringify(output);
}
