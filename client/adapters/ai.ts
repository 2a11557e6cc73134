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
import { parkedDecision } from './parked-call.js';

export { approvedCall } from './gated-call.js';
export type { GateOptions } from './gated-call.js';

/* The adapter for the package `ai`, version 7. It imports nothing of it: these are the parts that it touches. */

interface Tool {
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly toModelOutput?: ((result: never) => unknown) | undefined;
}
type Tools = Readonly<Record<string, Tool>>;

interface Options {
  readonly toolCallId: string;
  readonly messages: readonly object[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** The type of the messages that a tool gets. */
type MessageOf<One extends Tool> = Parameters<NonNullable<One['execute']>>[1] extends {
  messages: readonly (infer Message)[];
}
  ? Message
  : never;

/** A turn whose calls wait for people. It is JSON, if the messages are. */
export interface ParkedTurn {
  /** The whole conversation. A new run has nothing else. */
  readonly messages: readonly object[];
  /** By the id of each waiting call, the key of what people were asked about. */
  readonly keys?: Readonly<Record<string, string>>;
}

/** Gated tools: give a model call both `tools` and `toolApproval`. */
export interface Gate<Gated extends Tools> {
  readonly tools: Gated;
  readonly toolApproval: { readonly [Name in keyof Gated]: 'user-approval' };
  /**
   * Asks people about each waiting call, once. Resolves with undefined if no call waits. Throws what kept an approved call from
   * running, such as a lost connection: resume the same turn again.
   *
   * @param messages - the whole conversation, with the `responseMessages` of the result
   * @param state - what `onDecided` gets; the parked turn unless given
   */
  park(messages: readonly object[], state?: JsonValue): Promise<ParkedTurn | undefined>;
  /** Returns the messages for the next model call, of a ParkedTurn. Throws ApprovalPending unless all its calls are decided. */
  resume(turn: unknown): Promise<MessageOf<Gated[keyof Gated]>[]>;
}

/**
 * Gates tools. A model call ends when the model calls one of them. `park` asks people, and the process may end; `resume`
 * continues. A tool runs only if `redeem` allows it, with the approved arguments, whatever the messages say.
 */
export function gate<Gated extends Tools>(
  approvals: ApprovalClient,
  options: GateOptions<Gated>,
): Gate<Gated> {
  const { tools } = options;
  const redeemable = new Map<string, string>();
  const failures: HoldpointError[] = [];
  const redeem: Redeem = async (tool, input, { toolCallId }) => {
    const key = redeemable.get(toolCallId);
    if (key === undefined)
      throw new HoldpointError('not_asked', `Nobody allowed "${tool}". ${HOW}`);
    return { key, call: await approvals.redeem(key, input, tool) };
  };
  const askedIn = (messages: readonly object[]) =>
    waitingIn(messages, tools).map(async (waiting) => {
      const call = await askedCall(options, waiting, messages);
      return { ...waiting, call, key: await callKey(call) };
    });
  return {
    tools: mapped(approvals, tools, redeem, (error) => failures.push(error)),
    toolApproval: Object.fromEntries(
      Object.keys(tools).map((name) => [name, 'user-approval']),
    ) as Gate<Gated>['toolApproval'],
    async park(messages, state) {
      if (failures[0] !== undefined) throw failures[0];
      const waiting = await Promise.all(askedIn(messages));
      if (waiting.length === 0) return undefined;
      const keys = Object.fromEntries(waiting.map(({ toolCallId, key }) => [toolCallId, key]));
      const resume = state ?? ({ messages, keys } as unknown as JsonValue);
      for (const { call } of waiting) await approvals.ask({ ...call, resume });
      return { messages, keys };
    },
    async resume(turn) {
      const { messages, keys = {} } = turn as ParkedTurn;
      const content: object[] = [];
      for (const { toolCallId, approvalId, call } of await Promise.all(askedIn(messages))) {
        const { key, ...decision } = await parkedDecision(approvals, call, keys[toolCallId]);
        redeemable.set(toolCallId, key);
        content.push({ type: 'tool-approval-response', approvalId, ...decision });
      }
      const answers = content.length === 0 ? [] : [{ role: 'tool', content }];
      return [...messages, ...answers] as MessageOf<Gated[keyof Gated]>[];
    },
  };
}

const HOW = 'Give toolApproval to the model call too, and resume what park returned.';

/**
 * Gates tools that wait for the decision themselves: for a process that keeps running, and for sub-agents, which cannot pause. If
 * the process dies, the question is found again only if the model makes the same call under the same id.
 */
export function waitingTools<Gated extends Tools>(
  approvals: ApprovalClient,
  options: GateOptions<Gated>,
): Gated {
  return mapped(approvals, options.tools, async (toolName, input, given) => {
    const { toolCallId, messages, abortSignal } = given;
    const call = await askedCall(options, { toolCallId, toolName, input }, messages);
    const { key } = await approvals.ask(call);
    return { key, call: await approvals.redeemOnceDecided(key, input, toolName, abortSignal) };
  });
}

type Redeem = (tool: string, input: JsonObject, given: Options) => Promise<RedeemedCall>;

/** Returns tools that run what `redeem` returns, and that tell the model first what a person edited. */
function mapped<Gated extends Tools>(
  approvals: ApprovalClient,
  tools: Gated,
  redeem: Redeem,
  failed: (error: HoldpointError) => void = () => undefined,
): Gated {
  const entries = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    const execute = tool.execute?.bind(tool) as
      ((input: unknown, given: Options) => unknown) | undefined;
    if (execute === undefined) throw new TypeError(`The tool "${name}" has no execute to gate.`);
    const shownBy = tool.toModelOutput?.bind(tool) as
      ((result: object) => Output | Promise<Output>) | undefined;
    const notes = new Map<string, string | undefined>();
    const gated = {
      async execute(input: unknown, given: Options): Promise<unknown> {
        try {
          const redeemed = await redeem(name, jsonOf(input) as JsonObject, given);
          const run = (args: JsonObject, own: Options) =>
            execute(redeemed.call.edited ? args : input, own);
          const { output, note } = await runOnce(approvals, redeemed, given, run);
          notes.set(given.toolCallId, note);
          return output;
        } catch (error) {
          if (error instanceof HoldpointError && !isRefusal(error)) failed(error);
          throw error;
        }
      },
      async toModelOutput(result: { readonly toolCallId: string; readonly output: unknown }) {
        const shown = (await shownBy?.(result)) ?? plain(result.output);
        const note = notes.get(result.toolCallId);
        return note === undefined ? shown : withNote(note, shown);
      },
    };
    return [name, { ...tool, ...gated }];
  });
  return Object.fromEntries(entries) as Gated;
}

interface Output {
  readonly type: string;
  readonly value: unknown;
}

/** What `ai` itself shows to the model. */
function plain(output: unknown): Output {
  if (typeof output === 'string') return { type: 'text', value: output };
  return { type: 'json', value: jsonOf(output) };
}

function withNote(note: string, { type, value }: Output): Output {
  if (type === 'content') return { type, value: [{ type: 'text', text: note }, ...(value as [])] };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { type: 'text', value: `${note}\n${text}` };
}

function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}
/** A part of a message; which fields it has depends on its type. */
type Part = Call & { readonly type: string; readonly approvalId?: string };

function partsOf(messages: readonly object[]): readonly Part[] {
  const contents = messages.map((message) => (message as { readonly content?: unknown }).content);
  return contents.flatMap((content) => (Array.isArray(content) ? (content as Part[]) : []));
}

/** Returns the calls of these tools that `ai` wants approval for, and that have no response. */
function waitingIn(messages: readonly object[], tools: Tools): readonly Part[] {
  const parts = partsOf(messages);
  const responses = parts.filter(({ type }) => type === 'tool-approval-response');
  const answered = new Set(responses.map(({ approvalId }) => approvalId));
  const requests = parts.filter(({ type }) => type === 'tool-approval-request');
  const open = requests.filter(({ approvalId }) => !answered.has(approvalId));
  return open.flatMap(({ approvalId = '', toolCallId }) => {
    const call = parts.findLast((one) => one.type === 'tool-call' && one.toolCallId === toolCallId);
    return call && Object.hasOwn(tools, call.toolName) ? [{ ...call, approvalId }] : [];
  });
}

/** Returns what people are asked. A call id may come again in a later turn, so the id counts the results that it already has. */
async function askedCall(
  { run, tools, request, editSchemas }: GateOptions<Tools>,
  { toolCallId, toolName, input }: Call,
  messages: readonly object[],
): Promise<AskedCall> {
  const isEarlier = (part: Part) => part.type === 'tool-result' && part.toolCallId === toolCallId;
  const uses = partsOf(messages).filter(isEarlier).length;
  return {
    run,
    toolCallId: uses === 0 ? toolCallId : `${toolCallId}#${uses + 1}`,
    tool: toolName,
    arguments: jsonOf(input) as JsonObject,
    inputSchema: editSchemas?.[toolName] ?? (await jsonSchemaOf(tools[toolName]?.inputSchema)),
    ...(request && { request }),
  };
}
