import { generateText, tool, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import type { AdapterUnderTest, Script } from '../adapter.js';
import { asked, replied, results } from './agent.js';
import { payer } from './helper.js';
import { go } from './page.js';

/** `go` and `payer` are what the page shows to users. */
export const adapter: AdapterUnderTest = {
  begin: (script) => ({ messages: asked(script) }),
  go,
  results: () => results,
  tampered(turn, amount, all) {
    const { messages, keys } = turn as { messages: ModelMessage[]; keys: object };
    const text = JSON.stringify(messages).replaceAll(
      /("input":\{[^}]*"amount":)\d+/g,
      `$1${amount}`,
    );
    return { messages: JSON.parse(text), ...(!all && { keys }) };
  },
  async delegate(run, script) {
    const delegate = tool({
      inputSchema: z.object({ task: z.string() }),
      execute: ({ task }) => payer(run, task),
    });
    const { toolResults } = await generateText({
      model: delegating(script),
      prompt: 'Delegate it.',
      tools: { delegate },
    });
    return toolResults[0]?.output;
  },
};

/** A model that gives the whole script to the other agent. */
function delegating(script: Script): MockLanguageModelV4 {
  const input = JSON.stringify({ task: JSON.stringify(script) });
  const call = {
    type: 'tool-call',
    toolCallId: 'delegate-1',
    toolName: 'delegate',
    input,
  } as const;
  return new MockLanguageModelV4({ doGenerate: replied([call]) });
}
