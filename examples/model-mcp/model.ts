import { parseExact } from 'holdpoint-client';
import { script } from './script.js';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call_id: string; readonly content: string };

/** A tool as MCP describes it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
}

/** What a model says next; without calls it is done. */
export interface Thought {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** Asks the model: a real one if there is a key for it, else one that follows a script. */
export async function think(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): Promise<Thought> {
  const { OPENAI_API_KEY: key } = process.env;
  return key ? completion(key, messages, tools) : script(messages);
}

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
  }[];
}

/** Asks a model of OpenAI, or of whoever speaks its API at `OPENAI_BASE_URL`. */
async function completion(
  key: string,
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): Promise<Thought> {
  const {
    OPENAI_BASE_URL: base = 'https://api.openai.com/v1',
    OPENAI_MODEL: model = 'gpt-5-mini',
  } = process.env;
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: messages.map(sent),
      tools: tools.map(({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  });
  if (!response.ok)
    throw new Error(`The model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as Completion;
  const { content = '', tool_calls = [] } = choices[0]?.message ?? {};
  const calls = tool_calls.map(({ id, function: { name, arguments: text } }) => ({
    id,
    name,
    // Unlike JSON.parse it throws if a number would become another one.
    arguments: parseExact(text) as ToolCall['arguments'],
  }));
  return { text: content ?? '', calls };
}

/** A message in the words of OpenAI's API. */
function sent(message: Message): object {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.call_id, content: message.content };
  }
  if (message.role !== 'assistant' || message.calls.length === 0) {
    return { role: message.role, content: message.content };
  }
  const tool_calls = message.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: message.content, tool_calls };
}
