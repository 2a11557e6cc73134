import {
  HoldpointError,
  callKey,
  type ApprovalClient,
  type AskedCall,
  type JsonObject,
  type JsonValue,
  type Redeemed,
} from '../index.js';
import {
  approvedCall as approvedCallOf,
  isRefusal,
  runOnce,
  type GateOptions,
} from './gated-call.js';
import { jsonSchemaOf } from './input-schema.js';
import {
  isOfSameCall,
  parkedDecision,
  parkedTurn,
  type Keys,
  type WaitingCall,
} from './parked-call.js';

export type { GateOptions } from './gated-call.js';

/* The adapter for the package `langchain`, version 1. It imports nothing of it: these are the parts that it touches. */

interface ToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: object;
}

interface Tool {
  readonly name: string;
  readonly schema?: unknown;
  invoke(call: never, config?: never): Promise<unknown>;
}

interface ToolRequest {
  readonly toolCall: ToolCall;
  readonly tool: unknown;
  readonly state: { readonly messages: readonly object[] };
  readonly runtime: { readonly interrupt?: ((value: unknown) => unknown) | undefined };
}

/** A turn whose calls wait for people, as JSON. The checkpointer keeps the conversation. */
export interface ParkedTurn {
  /** The waiting calls, by the id of their interrupt. */
  readonly calls: Readonly<Record<string, WaitingCall>>;
  /** By the same ids, the keys of what people were asked about. */
  readonly keys?: Keys;
}

/** Gated tools, as the middleware of an agent with a checkpointer. */
export interface Gate<Gated extends readonly Tool[]> {
  /** Give it to `createMiddleware`. It brings the tools to the agent. */
  readonly middleware: {
    readonly name: string;
    readonly tools: Gated;
    readonly wrapToolCall: <Request extends ToolRequest, Result>(
      request: Request,
      handler: (request: Request) => Result | Promise<Result>,
    ) => Promise<Result>;
  };
  /**
   * Asks people about each waiting call, once. Resolves with undefined if no call waits.
   *
   * @param result - what the agent's `invoke` returned, or its graph's `getState`
   * @param state - what `onDecided` gets; the parked turn unless given
   */
  park(result: object, state?: JsonValue): Promise<ParkedTurn | undefined>;
  /**
   * Returns the `resume` of the Command that continues a ParkedTurn; undefined for any other turn. Throws ApprovalPending unless
   * all its calls are decided.
   */
  resume(turn: unknown): Promise<Keys | undefined>;
}

/**
 * Gates tools. An agent is interrupted when its model calls one of them. `park` asks people, and the process may end; `resume`
 * continues. A tool runs only if `redeem` allows it, with the approved arguments, whatever the checkpoint says.
 */
export function gate<Gated extends readonly Tool[]>(
  approvals: ApprovalClient,
  options: GateOptions<Gated>,
): Gate<Gated> {
  const { run, tools } = options;
  return {
    middleware: {
      name: 'holdpoint',
      tools,
      async wrapToolCall(request, handler) {
        const { toolCall, runtime } = request;
        const tool = tools.find(({ name }) => name === toolCall.name);
        if (tool === undefined) return handler(request);
        // The first time it throws, and the agent is interrupted. When the agent resumes, it returns what `resume` gave.
        const call = waitingCall(request);
        const key = runtime.interrupt?.({ [MARK]: call });
        if (!isOfSameCall(key, await callKey({ run, ...call })))
          throw new HoldpointError('not_asked', NOT_ASKED);
        return handler({ ...request, tool: gatedTool(approvals, tool, key) });
      },
    },
    async park(result, state) {
      const calls = waitingIn(result);
      if (Object.keys(calls).length === 0) return undefined;
      const asked = Object.entries(calls).map(
        async ([id, call]) => [id, await askedCall(options, call)] as const,
      );
      return parkedTurn(approvals, await Promise.all(asked), (keys) => ({ calls, keys }), state);
    },
    async resume(turn) {
      const { calls, keys = {} } = turn as Partial<ParkedTurn>;
      if (calls === undefined) return undefined;
      const parked: Record<string, string> = {};
      for (const [id, waiting] of Object.entries(calls)) {
        const call = await askedCall(options, waiting);
        parked[id] = (await parkedDecision(approvals, call, keys[id])).key;
      }
      return parked;
    },
  };
}

const MARK = 'holdpoint';
const NOT_ASKED =
  'Nobody was asked about this call. Resume with what `resume` of the gate returned.';

/**
 * Returns the approved call that a gated tool runs for: its approvers, and the `idempotency_key` for its effect. Throws in a
 * tool that is not gated.
 *
 * @param config - what the tool gets beside its arguments
 */
export function approvedCall(config: object): Redeemed {
  const { toolCall } = config as { readonly toolCall?: object };
  return approvedCallOf(toolCall ?? config);
}

/** The result of a tool. A Command has no content. */
interface Message {
  content?: unknown;
}

/** A tool that redeems its call, runs what people approved, and tells the model first what a person edited. */
function gatedTool(approvals: ApprovalClient, tool: Tool, key: string): Tool {
  const inner = tool as { invoke(call: object, config: unknown): Promise<Message> };
  const invoke = async (toolCall: ToolCall, config: unknown): Promise<unknown> => {
    const messages: Message[] = [];
    try {
      const call = await approvals.redeem(key, toolCall.args as JsonObject, tool.name);
      const approved = call.edited ? { ...toolCall, args: call.arguments } : toolCall;
      const run = async (_args: JsonObject, own: object) => {
        const message = await inner.invoke(own, config);
        messages.push(message);
        return message.content;
      };
      const { output, note } = await runOnce(approvals, { key, call }, approved, run);
      const content = note === undefined ? output : withNote(note, output);
      const [message] = messages;
      return message === undefined ? content : Object.assign(message, { content });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return error.message;
    }
  };
  return Object.create(tool, { invoke: { value: invoke } }) as Tool;
}

function withNote(note: string, content: unknown): unknown {
  if (Array.isArray(content)) return [{ type: 'text', text: note }, ...(content as unknown[])];
  return `${note}\n${typeof content === 'string' ? content : JSON.stringify(content)}`;
}

/** A call id may come again in a later turn, so the id counts the results that it already has. */
function waitingCall({ toolCall, state }: ToolRequest): WaitingCall {
  const { id, name, args } = toolCall;
  const results = state.messages.filter(
    (message) => 'tool_call_id' in message && message.tool_call_id === id,
  );
  const toolCallId = results.length === 0 ? (id ?? name) : `${id}#${results.length + 1}`;
  return { toolCallId, tool: name, arguments: args as JsonObject };
}

interface Interrupt {
  readonly id?: string;
  readonly value?: unknown;
}

/** Returns the waiting calls in what an agent returned, by the id of their interrupt. */
function waitingIn(result: object): Readonly<Record<string, WaitingCall>> {
  const { __interrupt__: own, tasks = [] } = result as {
    readonly __interrupt__?: readonly Interrupt[];
    readonly tasks?: readonly { readonly interrupts: readonly Interrupt[] }[];
  };
  const interrupts = own ?? tasks.flatMap((task) => task.interrupts);
  return Object.fromEntries(
    interrupts.flatMap(({ id, value }) => {
      const call = (value as { readonly [MARK]?: WaitingCall } | undefined)?.[MARK];
      return call === undefined || id === undefined ? [] : [[id, call]];
    }),
  );
}

async function askedCall(
  { run, tools, request, editSchemas }: GateOptions<readonly Tool[]>,
  call: WaitingCall,
): Promise<AskedCall> {
  const tool = tools.find(({ name }) => name === call.tool);
  const inputSchema = editSchemas?.[call.tool] ?? (await jsonSchemaOf(tool?.schema));
  return { run, ...call, inputSchema, ...(request && { request }) };
}
