import { tool, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { approvedCall } from 'holdpoint-client/ai';
import { z } from 'zod';
import { DONE, type Script, type ScriptedCall } from '../adapter.js';
import { transfer } from '../world.js';

/* The parts of an agent that the page leaves to its readers: a model, which follows its script, and a tool. */

export { approvals } from '../world.js';

export const wire = tool({
  description: 'Wires money.',
  inputSchema: z.object({ to: z.string(), amount: z.number().positive() }),
  execute: (input, options) => transfer(input, approvedCall(options).idempotency_key),
});

type GenerateResult = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type ToolCallPart = Extract<GenerateResult['content'][number], { type: 'tool-call' }>;
type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt'];

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** What the model has read as results when it was last asked. */
export let results: readonly string[] = [];

export const model = new MockLanguageModelV4({
  doGenerate: ({ prompt }) => Promise.resolve(next(prompt)),
});

/** The model has answered as often as the prompt has messages of its own, and follows the script from there. */
function next(prompt: Prompt): GenerateResult {
  results = resultsIn(prompt);
  const answered = prompt.filter(({ role }) => role === 'assistant').length;
  return replied(scriptIn(prompt)[answered]?.map(callOf) ?? []);
}

/** What a model replies: these calls, or that it is done. */
export function replied(calls: readonly ToolCallPart[]): GenerateResult {
  const unified = calls.length === 0 ? 'stop' : 'tool-calls';
  const content = calls.length === 0 ? [{ type: 'text', text: DONE } as const] : [...calls];
  return { content, finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
}

function callOf({ id, to, amount }: ScriptedCall): ToolCallPart {
  const input = JSON.stringify({ to, amount });
  return { type: 'tool-call', toolCallId: id, toolName: 'wire', input };
}

/** The first message of a conversation is its script. */
export function asked(script: Script): ModelMessage[] {
  return [{ role: 'user', content: JSON.stringify(script) }];
}

function scriptIn(prompt: Prompt): Script {
  const [first] = prompt;
  const [part] = first?.role === 'user' ? first.content : [];
  if (part?.type !== 'text') throw new Error('The conversation does not begin with a script.');
  return JSON.parse(part.text) as Script;
}

function resultsIn(prompt: Prompt): readonly string[] {
  const parts = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result') return [];
    const { output } = part;
    if (output.type === 'execution-denied') return [`denied: ${output.reason ?? ''}`];
    return [typeof output.value === 'string' ? output.value : JSON.stringify(output.value)];
  });
}
