import {
  HoldpointError,
  callKey,
  type ApprovalClient,
  type AskedCall,
  type JsonObject,
  type JsonValue,
} from '../index.js';
import { isRefusal, runOnce, type GateOptions, type RedeemedCall } from './gated-call.js';
import { jsonSchemaOf } from './input-schema.js';
import { parkedDecision, parkedTurn, type Keys, type WaitingCall } from './parked-call.js';

export { approvedCall } from './gated-call.js';

/* The adapter for `@anthropic-ai/claude-agent-sdk`. It imports nothing of it: these are the parts that it touches. */

/** The schema of one argument, as of zod. */
interface Field {
  isOptional(): boolean;
  parseAsync(value: unknown): Promise<unknown>;
}

/** What `tool(…)` of the SDK returns. */
interface Tool {
  readonly name: string;
  readonly inputSchema: object;
  handler(args: never, extra: unknown): Promise<Result>;
}

export interface ClaudeGateOptions<Tools> extends GateOptions<Tools> {
  /** The name of the MCP server that has the tools. */
  readonly server: string;
}

interface HookInput {
  readonly session_id: string;
  readonly agent_id?: string | undefined;
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
}

interface HookOutput {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'allow' | 'deny' | 'defer';
    permissionDecisionReason?: string;
  };
}

/** A turn whose calls wait for people, as JSON. Claude Code keeps the session. */
export interface ParkedTurn {
  readonly session: string;
  readonly calls: readonly WaitingCall[];
  /** By the id of each call, the key of what people were asked about. */
  readonly keys?: Keys;
}

/** What `query` gets for a turn. */
export interface QueryParts {
  readonly prompt: string;
  readonly options: {
    resume?: string;
    hooks: {
      PreToolUse: { matcher: string; hooks: ((input: HookInput) => Promise<HookOutput>)[] }[];
    };
  };
}

/**
 * Gates tools. Claude Code stops when its model calls one of them. `park` asks people, and the process may end; `resume`
 * continues. A tool runs only if `redeem` allows it, with the approved arguments, whatever the session says. In a sub-agent, which
 * cannot stop, the tool itself asks and waits.
 */
export function gate<Gated extends readonly Tool[]>(
  approvals: ApprovalClient,
  options: ClaudeGateOptions<Gated>,
): Gate<Gated> {
  return new Gate(approvals, options);
}

/** Gated tools, for an MCP server of `createSdkMcpServer`, and the calls of one `query`. */
export class Gate<Gated extends readonly Tool[]> {
  readonly tools: Gated;
  readonly #approvals: ApprovalClient;
  readonly #options: ClaudeGateOptions<Gated>;
  /** Decided calls of the parked turn that have not come yet. */
  readonly #decided: DecidedCall[] = [];
  /** The calls that the hook has seen, by Claude's id. */
  readonly #proposed = new Map<string, Partial<DecidedCall>>();
  readonly #waiting: WaitingCall[] = [];
  readonly #failures: HoldpointError[] = [];
  #session = '';

  constructor(approvals: ApprovalClient, options: ClaudeGateOptions<Gated>) {
    this.#approvals = approvals;
    this.#options = options;
    this.tools = options.tools.map((tool) => this.#gated(tool)) as unknown as Gated;
  }

  /**
   * Asks people about each waiting call, once. Resolves with undefined if no call waits. Throws what kept an approved call from
   * running, such as a lost connection: resume the same turn again.
   *
   * @param state - what `onDecided` gets; the parked turn unless given
   */
  async park(state?: JsonValue): Promise<ParkedTurn | undefined> {
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    if (this.#waiting.length === 0) return undefined;
    const asked = this.#waiting.map(
      async (call) => [call.toolCallId, await askedCall(this.#options, call)] as const,
    );
    const turnOf = (keys: Keys) => ({ session: this.#session, calls: this.#waiting, keys });
    return parkedTurn(this.#approvals, await Promise.all(asked), turnOf, state);
  }

  /**
   * Returns prompt and options for `query`: of a ParkedTurn, or of a first turn `{ prompt }`. Throws ApprovalPending unless all
   * calls are decided.
   */
  async resume(turn: unknown): Promise<QueryParts> {
    const { prompt = '', session, calls = [], keys = {} } = turn as FirstOrParked;
    const matcher = this.#options.tools.map(({ name }) => this.#fullName(name)).join('|');
    const hooks = { PreToolUse: [{ matcher, hooks: [this.#hook] }] };
    if (session === undefined) return { prompt, options: { hooks } };
    const lines = ['People have decided about the calls that waited for approval:'];
    for (const call of calls) {
      const asked = await askedCall(this.#options, call);
      const parked = await parkedDecision(this.#approvals, asked, keys[call.toolCallId]);
      this.#decided.push({ ...call, key: parked.key });
      lines.push(`${call.tool} ${JSON.stringify(call.arguments)}: ${parked.reason ?? APPROVED}`);
    }
    return { prompt: lines.join('\n'), options: { resume: session, hooks } };
  }

  /** Only pauses. What it lets pass still has to redeem. */
  readonly #hook = async (input: HookInput): Promise<HookOutput> => {
    const { session_id, agent_id, tool_name, tool_use_id: toolCallId, tool_input } = input;
    const tool = this.#options.tools.find(({ name }) => tool_name === this.#fullName(name))?.name;
    if (tool === undefined || toolCallId === undefined) return {};
    const call = { toolCallId, tool, arguments: tool_input as JsonObject };
    const decision = await this.#takeDecision(call);
    this.#proposed.set(toolCallId, { ...decision, ...call });
    if (decision !== undefined || agent_id !== undefined) return permission('allow');
    this.#session = session_id;
    this.#waiting.push(call);
    // Claude Code keeps one deferred call of a turn, and loses any other.
    if (this.#waiting.length === 1) return permission('defer');
    return permission('deny', `"${tool}" waits for approval. You will be told when.`);
  };

  /** Takes the decision about a call. A call that was not deferred comes again under another id. */
  async #takeDecision(call: WaitingCall): Promise<DecidedCall | undefined> {
    const key = await callKey({ ...call, run: this.#options.run });
    const isSame = (one: DecidedCall) =>
      one.tool === call.tool && one.key.slice(-HASH_LENGTH) === key.slice(-HASH_LENGTH);
    const found =
      this.#decided.find(({ toolCallId }) => toolCallId === call.toolCallId) ??
      this.#decided.find(isSame);
    if (found !== undefined) this.#decided.splice(this.#decided.indexOf(found), 1);
    return found;
  }

  #fullName(tool: string): string {
    return `mcp__${this.#options.server}__${tool}`;
  }

  #gated(tool: Tool): Tool {
    const inner = tool as { handler(args: object, extra: object): Promise<Result> };
    const handler = async (args: JsonObject, extra: Extra): Promise<Result> => {
      try {
        const redeemed = await this.#redeem(tool.name, args, extra);
        const run = async (approved: JsonObject, own: object) =>
          inner.handler(await parsed(tool.inputSchema as Fields, approved), own);
        const { output, note } = await runOnce(this.#approvals, redeemed, extra, run);
        const result = output as Result;
        return note === undefined
          ? result
          : { ...result, content: [text(note), ...result.content] };
      } catch (error) {
        if (isRefusal(error)) return { content: [text(error.message)], isError: true };
        if (error instanceof HoldpointError) this.#failures.push(error);
        throw error;
      }
    };
    return { ...tool, handler };
  }

  async #redeem(tool: string, args: JsonObject, extra: Extra): Promise<RedeemedCall> {
    const toolCallId = extra._meta?.['claudecode/toolUseId'] ?? '';
    const found = this.#proposed.get(toolCallId);
    const given = found?.arguments ?? args;
    if (found?.key !== undefined)
      return { key: found.key, call: await this.#approvals.redeem(found.key, given, tool) };
    const call = await askedCall(this.#options, { toolCallId, tool, arguments: given });
    const { key } = await this.#approvals.ask(call);
    const redeemed = await this.#approvals.redeemOnceDecided(key, given, tool, extra.signal);
    return { key, call: redeemed };
  }
}

type FirstOrParked = Partial<ParkedTurn> & { readonly prompt?: string };

/** Claude Code deferred one call at most, and if a process died, it may say that the call was stopped. */
const APPROVED =
  'approved. If it has no result, or was stopped, make the same call again with the same arguments.';
const HASH_LENGTH = 64;

interface DecidedCall extends WaitingCall {
  readonly key: string;
}

type Fields = Readonly<Record<string, Field>>;

/** What a tool gets from the SDK beside its arguments. */
interface Extra {
  readonly signal?: AbortSignal;
  readonly _meta?: { readonly 'claudecode/toolUseId'?: string };
}

interface Result {
  content: unknown[];
  isError?: boolean | undefined;
}

function permission(
  permissionDecision: 'allow' | 'deny' | 'defer',
  permissionDecisionReason = '',
): HookOutput {
  const hookEventName = 'PreToolUse';
  return { hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason } };
}

function text(content: string) {
  return { type: 'text', text: content };
}

/** Returns the arguments as the tool's own schemas make them. */
async function parsed(fields: Fields, args: JsonObject): Promise<object> {
  const entries = Object.entries(fields).map(async ([name, field]) => [
    name,
    await field.parseAsync(args[name]),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as object;
}

async function askedCall(
  { run, tools, request, editSchemas }: GateOptions<readonly Tool[]>,
  call: WaitingCall,
): Promise<AskedCall> {
  const fields = tools.find(({ name }) => name === call.tool)?.inputSchema as Fields | undefined;
  const inputSchema = editSchemas?.[call.tool] ?? (await schemaOf(fields ?? {}));
  return { run, ...call, inputSchema, ...(request && { request }) };
}

async function schemaOf(fields: Fields): Promise<JsonObject | undefined> {
  const properties: Record<string, JsonObject> = {};
  for (const [name, field] of Object.entries(fields)) {
    const schema = await jsonSchemaOf(field);
    if (schema === undefined) return undefined;
    properties[name] = schema;
  }
  const required = Object.keys(fields).filter((name) => fields[name]?.isOptional() === false);
  return { type: 'object', properties, required };
}
