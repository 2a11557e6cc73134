import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FormerHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a tool returned. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly output: Readonly<Record<string, unknown>>;
}

/** A client of the Model Context Protocol that is connected. */
export interface McpClient {
  tools(): Promise<
    readonly {
      readonly name: string;
      readonly inputSchema: unknown;
      readonly outputSchema?: unknown;
    }[]
  >;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Where a client finds the tools: at an address with a key, or in a program that it starts. */
export type Place =
  | { readonly url: string; readonly key: string }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };

/** The clients that are out there: of the protocol of 2026, the same as one of 2025, and the SDK of 2025. */
export const CLIENTS = {
  'the client of today': (place: Place) => connected(place, 'auto'),
  'the client of today, speaking as in 2025': (place: Place) => connected(place, 'legacy'),
  'the 1.x client': former,
} as const satisfies Readonly<Record<string, (place: Place) => Promise<McpClient>>>;

const SELF = { name: 'test', version: '1.0.0' };

function headersOf(key: string): RequestInit {
  return key === '' ? {} : { headers: { 'X-API-Key': key } };
}

async function connected(place: Place, mode: 'auto' | 'legacy'): Promise<McpClient> {
  const client = new Client(SELF, { versionNegotiation: { mode } });
  const transport: Transport =
    'url' in place
      ? new StreamableHTTPClientTransport(new URL(place.url), { requestInit: headersOf(place.key) })
      : new StdioClientTransport(place);
  await client.connect(transport);
  return faceOf(client);
}

async function former(place: Place): Promise<McpClient> {
  const client = new FormerClient(SELF);
  const transport =
    'url' in place
      ? new FormerHttp(new URL(place.url), { requestInit: headersOf(place.key) })
      : new FormerStdio(place);
  await client.connect(transport);
  return faceOf(client as unknown as Parameters<typeof faceOf>[0]);
}

function faceOf(client: Pick<Client, 'listTools' | 'callTool' | 'close'>): McpClient {
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      const [first] = result.content;
      return {
        isError: result.isError === true,
        text: first?.type === 'text' ? first.text : '',
        output: (result.structuredContent ?? {}) as ToolResult['output'],
      };
    },
    close: () => client.close(),
  };
}

/** Runs with a client that is closed afterwards. */
export async function withClient<T>(
  kind: keyof typeof CLIENTS,
  place: Place,
  run: (client: McpClient) => Promise<T>,
): Promise<T> {
  const client = await CLIENTS[kind](place);
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}
