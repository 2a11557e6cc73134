import { parseExact } from 'holdpoint-client';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Message, Thought, ToolDefinition } from './messages.js';

/** Only those who run the example with a key need it: `npm install --no-save openai`. */
const SDK: string = 'openai';

/** What is used of that package. */
interface OpenAiModule {
  readonly default: new (options: { readonly apiKey: string }) => {
    readonly chat: {
      readonly completions: { readonly create: (request: object) => Promise<Completion> };
    };
  };
}

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly ProviderCall[];
    };
  }[];
}

interface ProviderCall {
  readonly id: string;
  readonly type: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** Asks a model of OpenAI, or of whoever speaks its API at `OPENAI_BASE_URL`. */
export async function openAiModel(
  { apiKey, model }: { readonly apiKey: string; readonly model: string },
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): Promise<Thought> {
  const { default: OpenAi } = (await import(SDK)) as OpenAiModule;
  const { choices } = await new OpenAi({ apiKey }).chat.completions.create({
    model,
    messages: messages.map(sent),
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
  });
  const { content = '', tool_calls = [] } = choices[0]?.message ?? {};
  const calls = tool_calls.flatMap(({ id, function: called }) =>
    called ? [{ id, name: called.name, arguments: argumentsOf(called.arguments) }] : [],
  );
  return { text: content ?? '', calls };
}

function sent(message: Message): object {
  switch (message.role) {
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.calls.length > 0 && { tool_calls: message.calls.map(repeated) }),
      };
    case 'tool':
      return { role: 'tool', tool_call_id: message.call_id, content: message.content };
    default:
      return message;
  }
}

function repeated({ id, name, arguments: args }: Thought['calls'][number]): ProviderCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

/** A model may write what is no JSON, or a number that would become another one: the tool's schema then refuses it, and the model reads why. */
function argumentsOf(text: string): JsonObject {
  try {
    const args = parseExact(text);
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return args as JsonObject;
  } catch {
    // It is told below.
  }
  return { unreadable: text };
}
