import type { MastraModelConfig } from '@mastra/core/llm';
import { MockLanguageModelV4 } from 'ai/test';
import type { Script, ScriptedCall } from '../adapter.js';
import { replied } from '../ai/agent.js';

/* A model that follows its script, and one that gives it to another agent. */

type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt'];

/** What the model has read as results when it was last asked. */
export let results: readonly string[] = [];

export const model = modelOf(next);

/** The model makes the first calls of the script that have no results. */
function next(prompt: Prompt) {
  results = resultsIn(prompt);
  let before = 0;
  const step = scriptIn(prompt).find((calls) => {
    before += calls.length;
    return before > results.length;
  });
  return replied((step ?? []).map(wireOf));
}

/** A model that gives the whole script to the agent `payer`. */
export function delegating(script: Script): MastraModelConfig {
  const input = JSON.stringify({ prompt: JSON.stringify(script) });
  const toolName = 'agent-payer';
  const call = { type: 'tool-call', toolCallId: 'delegate-1', toolName, input } as const;
  return modelOf((prompt) => replied(resultsIn(prompt).length === 0 ? [call] : []));
}

/** Mastra takes models of `ai`, and declares them in its own words. */
function modelOf(answer: (prompt: Prompt) => ReturnType<typeof replied>): MastraModelConfig {
  return new MockLanguageModelV4({
    doGenerate: ({ prompt }) => Promise.resolve(answer(prompt)),
  }) as MastraModelConfig;
}

function wireOf({ id, to, amount }: ScriptedCall) {
  const input = JSON.stringify({ to, amount });
  return { type: 'tool-call', toolCallId: id, toolName: 'wire', input } as const;
}

/** A message of the user is the script. A sub-agent reads those of the agent around it before. */
function scriptIn(prompt: Prompt): Script {
  const parts = prompt.flatMap(({ role, content }) => (role === 'user' ? content : []));
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return JSON.parse(texts.find((text) => text.startsWith('[[')) ?? '[]') as Script;
}

function resultsIn(prompt: Prompt): readonly string[] {
  const parts = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return parts.flatMap((part) =>
    part.type === 'tool-result' ? [textOf('value' in part.output ? part.output.value : '')] : [],
  );
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
