import { AIMessage, ToolMessage, fakeModel, tool, type BaseMessage } from 'langchain';
import { approvedCall } from 'holdpoint-client/langchain';
import { z } from 'zod';
import { DONE, type Script } from '../adapter.js';
import { transfer } from './bank.js';

/* The parts of an agent that the page leaves to its readers: a model, which follows its script, and a tool. */

export { approvals } from '../world.js';
export { checkpointer } from './checkpointer.js';

export const wire = tool((input, config) => transfer(input, approvedCall(config).idempotency_key), {
  name: 'wire',
  description: 'Wires money.',
  schema: z.object({ to: z.string(), amount: z.number().positive() }),
});

/** No process asks its model more often. */
const MOST_ANSWERS = 20;

/** What the model has read as results when it was last asked. */
export let results: readonly string[] = [];

export const model = fakeModel();
for (let nth = 0; nth < MOST_ANSWERS; nth += 1) model.respond(next);

/** The model has answered as often as the conversation has messages of its own, and follows the script from there. */
function next(messages: readonly BaseMessage[]): AIMessage {
  results = resultsIn(messages);
  const [first] = messages;
  const script = JSON.parse(first?.text ?? '') as Script;
  const calls = script[messages.filter(AIMessage.isInstance).length] ?? [];
  const tool_calls = calls.map(({ id, to, amount }) => ({
    id,
    name: 'wire',
    args: { to, amount },
  }));
  return new AIMessage({ content: calls.length === 0 ? DONE : '', tool_calls });
}

export function resultsIn(messages: readonly BaseMessage[]): readonly string[] {
  return messages.filter(ToolMessage.isInstance).map(({ text }) => text);
}
