import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { think, type Message, type ToolCall, type ToolDefinition } from './model.js';

const MOST_TURNS = 20;
const ROLE =
  'You operate a shop. Before you deploy anything, ask a person with ask_human, and wait with get_human_answer. ' +
  'Deploy only after a person has agreed.';

/** The tool of this agent; those of Holdpoint come over MCP. */
const DEPLOY: ToolDefinition = {
  name: 'deploy',
  description: 'Deploys a build to production.',
  inputSchema: {
    type: 'object',
    properties: { build: { type: 'integer' } },
    required: ['build'],
  },
};

/** Where a real agent would call its deployment tool. */
async function deploy(args: Readonly<Record<string, unknown>>): Promise<string> {
  return `build ${String(args['build'])} is deployed`;
}

const people = new Client({ name: 'example-agent', version: '1.0.0' });
const key = process.env['HOLDPOINT_API_KEY'] ?? '';
await people.connect(
  new StreamableHTTPClientTransport(
    new URL('/mcp', process.env['HOLDPOINT_URL'] ?? 'http://127.0.0.1:4000'),
    { requestInit: { headers: { 'X-API-Key': key } } },
  ),
);

/** Runs a call of the model, and returns what the model then reads. */
async function result({ name, arguments: args }: ToolCall): Promise<string> {
  if (name === DEPLOY.name) return deploy(args);
  for (;;) {
    const { content, structuredContent } = await people.callTool({ name, arguments: args });
    // A person may take hours. The wait goes on here, because each turn of a model costs money.
    const status = (structuredContent as { readonly status?: string } | undefined)?.status;
    if (name === 'get_human_answer' && status === 'pending') continue;
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  }
}

/** Lets the model think and call tools until it calls none any more; its last words. */
async function run(task: string): Promise<string> {
  const tools = [DEPLOY, ...(await people.listTools()).tools];
  const messages: Message[] = [
    { role: 'system', content: ROLE },
    { role: 'user', content: task },
  ];
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { text, calls } = await think(messages, tools);
    messages.push({ role: 'assistant', content: text, calls });
    if (calls.length === 0) return text;
    for (const call of calls) {
      console.log(`${call.name} ${JSON.stringify(call.arguments)}`);
      messages.push({ role: 'tool', call_id: call.id, content: await result(call) });
    }
  }
  return `no end after ${MOST_TURNS} turns`;
}

const [task = 'Deploy build 7, if that is right.'] = process.argv.slice(2);
console.log(await run(task));
await people.close();
