import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Message, Thought, ToolDefinition } from './messages.js';
import { openAiModel } from './openai.js';
import { scriptedModel } from './scripted.js';

/** Asks the model: a real one if there is a key for it, else one that follows a script. */
export async function think(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): Promise<Thought> {
  const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: model = 'gpt-5-mini' } = process.env;
  return apiKey ? openAiModel({ apiKey, model }, messages, tools) : scriptedModel(messages);
}

/** Where a real agent would ask its monitoring. */
export async function readMetrics(args: JsonObject): Promise<string> {
  return `0.2 % of requests fail ${JSON.stringify(args)}`;
}

/** Where a real agent would call its deployment tool, with the key under which that acts once. */
export async function deploy(args: JsonObject, idempotencyKey: string): Promise<string> {
  process.stdout.write(`deploying under the key ${idempotencyKey}\n`);
  return `deployed ${JSON.stringify(args)}`;
}
