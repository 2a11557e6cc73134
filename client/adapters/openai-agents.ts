import {
  HoldpointError,
  type ApprovalClient,
  type AskedCall,
  type JsonObject,
  type JsonValue,
} from '../index.js';
import { isRefusal, runOnce, type GateOptions } from './gated-call.js';
import { jsonSchemaOf } from './input-schema.js';
import { parkedDecision, parkedTurn, type Keys, type WaitingCall } from './parked-call.js';

export { approvedCall } from './gated-call.js';

/* The adapter for `@openai/agents`. It imports nothing of it: these are the parts that it touches. */

interface ToolCall {
  readonly callId: string;
}

interface Details {
  readonly toolCall?: ToolCall;
}

/** What `tool(…)` of the SDK returns. */
interface Tool {
  readonly name: string;
  readonly parameters: unknown;
  invoke(context: never, input: string, details: never): Promise<unknown>;
}

export interface AgentsGateOptions<Tools> extends Omit<GateOptions<Tools>, 'editSchemas'> {
  /**
   * What edited arguments must fit, by tool: a JSON Schema (`{}` fits all), or a schema of zod since 4.2. Give it for tools with
   * limits such as `.positive()`, because the SDK leaves limits out of the tool's own schema.
   */
  readonly editSchemas?: Readonly<Record<string, JsonObject | StandardSchema>> | undefined;
}

interface StandardSchema {
  readonly '~standard': object;
}

/** A call that waits for approval, as the SDK has it. Which fields it has depends on its type. */
interface Interruption {
  readonly rawItem: {
    readonly type: string;
    readonly callId?: string | undefined;
    readonly name?: string | undefined;
    readonly arguments?: string | undefined;
  };
}

/** A RunState of the SDK. */
interface State {
  readonly history: readonly object[];
  getInterruptions(): readonly Interruption[];
  approve(interruption: never): void;
  reject(interruption: never, options: { message: string }): void;
  toString(): string;
}

/** What a run begins with. */
export interface FirstTurn<Input> {
  readonly input: Input;
}

/** A turn whose calls wait for people, as JSON. */
export interface ParkedTurn {
  /** The state of the run, with the whole conversation. */
  readonly state: string;
  /** By the id of each waiting call, the key of what people were asked about. */
  readonly keys?: Keys;
}

/** Gated tools, for the agents of one run. */
export interface Gate<Gated extends readonly Tool[]> {
  readonly tools: Gated;
  /**
   * Asks people about each waiting call, once. Resolves with undefined if no gated call waits.
   *
   * @param result - what `run` returned
   * @param state - what `onDecided` gets; the parked turn unless given
   */
  park(result: { readonly state: State }, state?: JsonValue): Promise<ParkedTurn | undefined>;
  /**
   * Returns what `run` gets for a turn: the state of a ParkedTurn with all decisions, or the input of a first turn. Throws
   * ApprovalPending unless all calls are decided.
   *
   * @param restore - reads a state, with `RunState.fromString`
   */
  resume<Restored extends State, Input = string>(
    turn: unknown,
    restore: (state: string) => Promise<Restored>,
  ): Promise<Restored | Input>;
}

/**
 * Gates tools that were made with `needsApproval: true`. A run is interrupted when a model calls one of them, in a sub-agent too.
 * `park` asks people, and the process may end; `resume` continues. A tool runs only if `redeem` allows it, with the approved
 * arguments, whatever the state of the run says.
 */
export function gate<Gated extends readonly Tool[]>(
  approvals: ApprovalClient,
  options: AgentsGateOptions<Gated>,
): Gate<Gated> {
  const redeemable = new Map<string, string>();
  const waitingIn = (state: State) =>
    state.getInterruptions().flatMap((interruption) => {
      const call = waitingCall(interruption, state.history);
      const tool = options.tools.find(({ name }) => name === call?.tool);
      if (call === undefined || tool === undefined) return [];
      return [{ interruption, callId: interruption.rawItem.callId ?? '', call, tool }];
    });
  return {
    tools: options.tools.map((tool) =>
      gatedTool(approvals, tool, redeemable),
    ) as readonly Tool[] as Gated,
    async park(result, state) {
      const waiting = waitingIn(result.state);
      if (waiting.length === 0) return undefined;
      const asked = waiting.map(
        async ({ callId, call, tool }) => [callId, await askedCall(options, call, tool)] as const,
      );
      const text = result.state.toString();
      const turnOf = (keys: Keys) => ({ state: text, keys });
      return parkedTurn(approvals, await Promise.all(asked), turnOf, state);
    },
    async resume<Restored extends State, Input>(
      turn: unknown,
      restore: (state: string) => Promise<Restored>,
    ) {
      const { input, state, keys = {} } = turn as Partial<FirstTurn<Input> & ParkedTurn>;
      if (state === undefined) return input as Input;
      const restored = await restore(state);
      for (const { interruption, callId, call, tool } of waitingIn(restored)) {
        const asked = await askedCall(options, call, tool);
        const { key, reason } = await parkedDecision(approvals, asked, keys[callId]);
        redeemable.set(callId, key);
        if (reason === undefined) restored.approve(interruption as never);
        else restored.reject(interruption as never, { message: reason });
      }
      return restored;
    },
  };
}

const NOT_ASKED =
  'Make the tool with needsApproval: true, and resume what park returned with resume of the gate.';

/** A tool that redeems its call, runs what people approved, and tells the model first what a person edited. */
function gatedTool(approvals: ApprovalClient, tool: Tool, redeemable: Map<string, string>): Tool {
  const inner = tool as {
    invoke(context: unknown, input: string, details: object): Promise<unknown>;
  };
  const invoke = async (context: unknown, input: string, details: Details): Promise<unknown> => {
    const callId = details.toolCall?.callId ?? '';
    const key = redeemable.get(callId);
    if (key === undefined)
      throw new HoldpointError('not_asked', `Nobody allowed "${tool.name}". ${NOT_ASKED}`);
    try {
      const call = await approvals.redeem(key, JSON.parse(input) as JsonObject, tool.name);
      const run = (args: JsonObject, own: object) =>
        inner.invoke(context, call.edited ? JSON.stringify(args) : input, own);
      const { output, note } = await runOnce(approvals, { key, call }, details, run);
      // A sub-agent that is called again may use the id for another call, which the SDK would take for approved.
      redeemable.delete(callId);
      return note === undefined ? output : withNote(note, output);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return error.message;
    }
  };
  return { ...tool, invoke };
}

/** The output that the SDK shows to the model as it is; any other is shown as JSON. */
const SHOWN_TYPES = ['text', 'image', 'file'];

function withNote(note: string, output: unknown): unknown {
  if (typeof output === 'string') return `${note}\n${output}`;
  const parts: readonly unknown[] = Array.isArray(output) ? output : [output];
  const isShown = (part: unknown) =>
    SHOWN_TYPES.includes((part as { readonly type?: string } | null)?.type ?? '');
  if (parts.length > 0 && parts.every(isShown)) return [{ type: 'text', text: note }, ...parts];
  return `${note}\n${JSON.stringify(output)}`;
}

/** The id of a call may come again in a later run over the same history, so it counts the results that it already has. */
function waitingCall(
  { rawItem }: Interruption,
  history: readonly object[],
): WaitingCall | undefined {
  const { type, callId, name, arguments: args } = rawItem;
  if (type !== 'function_call' || callId === undefined || name === undefined) return undefined;
  const results = history.filter((item) => {
    const { type, callId: id } = item as { readonly type?: string; readonly callId?: string };
    return type === 'function_call_result' && id === callId;
  });
  const toolCallId = results.length === 0 ? callId : `${callId}#${results.length + 1}`;
  return { toolCallId, tool: name, arguments: JSON.parse(args ?? '{}') as JsonObject };
}

async function askedCall(
  { run, request, editSchemas }: AgentsGateOptions<readonly Tool[]>,
  call: WaitingCall,
  tool: Tool,
): Promise<AskedCall> {
  const own = editSchemas?.[call.tool];
  const isJson = own !== undefined && !('~standard' in own);
  const inputSchema = isJson ? own : await jsonSchemaOf(own ?? tool.parameters);
  return { run, ...call, inputSchema, ...(request && { request }) };
}
