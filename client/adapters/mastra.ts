import {
  HoldpointError,
  type ApprovalClient,
  type AskedCall,
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
import { calledIn, waitingIn, type Result, type Suspension } from './mastra-calls.js';
import { parkedDecision, parkedTurn, type Keys, type WaitingCall } from './parked-call.js';

export type { GateOptions } from './gated-call.js';

/* The adapter for `@mastra/core`, version 1. It imports nothing of it: these are the parts that it touches. */

/** What `createTool(…)` returns. */
interface Tool {
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, context: never) => Promise<unknown>) | undefined;
  readonly toModelOutput?: ((output: never) => unknown) | undefined;
}
type Tools = Readonly<Record<string, Tool>>;

/** What a tool gets beside its input. Only an agent gives `agent`. */
interface Context {
  readonly agent?: { readonly toolCallId: string; suspend(payload: object): Promise<unknown> };
}

/** A run that is suspended at a call of a later turn, because a process died before it parked that. */
export interface SuspendedRun {
  readonly runId: string;
  readonly suspendPayload: Suspension;
  readonly toolCalls: readonly [];
  readonly text?: undefined;
}

/** An agent of a Mastra with a storage. */
interface Agent<Resumed> {
  listSuspendedRuns(): Promise<{
    readonly runs: readonly {
      readonly runId: string;
      readonly toolCalls: readonly Suspension[];
    }[];
  }>;
  approveToolCallGenerate(options: never): Promise<Resumed>;
  declineToolCallGenerate(options: never): Promise<Resumed>;
}

/** A turn whose calls wait for people, as JSON. Mastra keeps the run in its storage. */
export interface ParkedTurn {
  readonly runId: string;
  /** The waiting calls, by their id. That of a call in a sub-agent begins with those of the calls around it. */
  readonly calls: Readonly<Record<string, WaitingCall>>;
  /** By the same ids, the keys of what people were asked about. */
  readonly keys?: Keys;
}

/** Gated tools, for an agent. */
export interface Gate<Gated extends Tools> {
  readonly tools: Gated;
  /**
   * Asks people about each waiting call, once. Resolves with undefined if no gated call waits.
   *
   * @param result - what `resume` returned
   * @param state - what `onDecided` gets; the parked turn unless given
   */
  park(result: Result | undefined, state?: JsonValue): Promise<ParkedTurn | undefined>;
  /**
   * Continues a ParkedTurn with all decisions, or begins a first turn. Resolves with undefined if Mastra has no such run any more:
   * it has ended. Throws ApprovalPending unless all calls are decided, and what kept an approved call from running, such as a lost
   * connection: resume the same turn again.
   *
   * @param begin - begins a run with the `messages` of a first turn
   */
  resume<Resumed extends Result>(
    turn: unknown,
    agent: Agent<Resumed>,
    begin: (messages: never) => Promise<Resumed>,
  ): Promise<Resumed | SuspendedRun | undefined>;
}

/**
 * Gates tools. A run is suspended when a model calls one of them, in a sub-agent too. `park` asks people, and the process may end;
 * `resume` continues. A tool runs only if `redeem` allows it, with the approved arguments, whatever the storage says.
 */
export function gate<Gated extends Tools>(
  approvals: ApprovalClient,
  options: GateOptions<Gated>,
): Gate<Gated> {
  return new MastraGate(approvals, options);
}

class MastraGate<Gated extends Tools> implements Gate<Gated> {
  readonly tools: Gated;
  readonly #approvals: ApprovalClient;
  readonly #options: GateOptions<Gated>;
  /** The calls that Mastra is to go on with, by its id. */
  readonly #decided = new Map<string, DecidedCall>();
  readonly #failures: HoldpointError[] = [];

  constructor(approvals: ApprovalClient, options: GateOptions<Gated>) {
    this.#approvals = approvals;
    this.#options = options;
    const entries = Object.entries(options.tools);
    this.tools = Object.fromEntries(
      entries.map(([name, tool]) => [name, this.#gated(name, tool)]),
    ) as Gated;
  }

  async park(result: Result | undefined, state?: JsonValue): Promise<ParkedTurn | undefined> {
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    const calls = waitingIn(result, this.#options.tools);
    const entries = Object.entries(calls);
    if (entries.length === 0) return undefined;
    const asked = entries.map(
      async ([id, call]) => [id, await askedCall(this.#options, call)] as const,
    );
    const turnOf = (keys: Keys) => ({ runId: result?.runId ?? '', calls, keys });
    return parkedTurn(this.#approvals, await Promise.all(asked), turnOf, state);
  }

  async resume<Resumed extends Result>(
    turn: unknown,
    agent: Agent<Resumed>,
    begin: (messages: never) => Promise<Resumed>,
  ): Promise<Resumed | SuspendedRun | undefined> {
    const { messages, runId, calls = {}, keys = {} } = turn as FirstOrParked;
    if (runId === undefined) return begin(messages as never);
    const open = new Map(Object.entries(calls));
    for (const [id, call] of open)
      await parkedDecision(this.#approvals, await askedCall(this.#options, call), keys[id]);
    const { runs } = await agent.listSuspendedRuns();
    const suspended = runs.find((run) => run.runId === runId)?.toolCalls ?? [];
    const idOf = (one: Suspension) => calledIn(one, this.#options.tools)?.id ?? '';
    let next = suspended.find((one) => open.has(idOf(one))) ?? suspended[0];
    let result: Resumed | SuspendedRun | undefined =
      next && ({ runId, suspendPayload: next, toolCalls: [] } as const);
    while (next !== undefined) {
      const id = idOf(next);
      const parked = open.get(id);
      // What a later turn suspends is not decided yet, even if it has an id of this turn again.
      if (parked === undefined || !open.delete(id)) break;
      result = await this.#continued(agent, runId, next, parked, keys[id]);
      next = result.suspendPayload as Suspension | undefined;
    }
    return result;
  }

  /** Goes on with a decided call, if the storage still has the arguments that people saw. */
  async #continued<Resumed extends Result>(
    agent: Agent<Resumed>,
    runId: string,
    suspended: Suspension,
    parked: WaitingCall,
    key: string | undefined,
  ): Promise<Resumed> {
    const stored = calledIn(suspended, this.#options.tools);
    const call = { ...parked, arguments: stored?.arguments ?? parked.arguments };
    const asked = await askedCall(this.#options, call);
    const decision = await parkedDecision(this.#approvals, asked, key);
    this.#decided.set(stored?.ownId ?? '', { ...call, key: decision.key });
    const { reason } = decision;
    const options = { runId, toolCallId: suspended.toolCallId };
    const result =
      reason === undefined
        ? await agent.approveToolCallGenerate(options as never)
        : await agent.declineToolCallGenerate({ ...options, reason } as never);
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    return result;
  }

  #gated(name: string, tool: Tool): Tool {
    const execute = tool.execute?.bind(tool) as Execute | undefined;
    if (execute === undefined) throw new TypeError(`The tool "${name}" has no execute to gate.`);
    const shownBy = tool.toModelOutput?.bind(tool) as ((output: unknown) => unknown) | undefined;
    const texts = new Set<unknown>();
    const told = (text: string) => {
      texts.add(text);
      return text;
    };
    const gated = {
      requireApproval: true,
      needsApprovalFn: undefined,
      execute: async (_input: object, context: Context): Promise<unknown> => {
        try {
          const { output, note } = await this.#run(name, execute, context);
          return note === undefined ? output : told(`${note}\n${textOf(output)}`);
        } catch (error) {
          if (isRefusal(error)) return told(error.message);
          if (!(error instanceof HoldpointError)) throw error;
          this.#failures.push(error);
          const call = this.#decided.get(context.agent?.toolCallId ?? '');
          if (call === undefined) throw error;
          // Mastra would end the run without the call. Suspended again, the call waits for the next process.
          return context.agent?.suspend({ args: call.arguments });
        }
      },
      ...(shownBy && {
        toModelOutput: (output: unknown) =>
          texts.has(output) ? { type: 'text', value: output } : shownBy(output),
      }),
    };
    return Object.assign(Object.create(Object.getPrototypeOf(tool) as object) as Tool, tool, gated);
  }

  async #run(tool: string, execute: Execute, context: Context) {
    const key = this.#decided.get(context.agent?.toolCallId ?? '')?.key;
    if (key === undefined) throw new HoldpointError('not_asked', notAsked(tool));
    const call = await this.#approvals.redeem(key, undefined, tool);
    const ran = await runOnce(this.#approvals, { key, call }, {}, (args, own) =>
      // With `resumeData`, Mastra would not check the arguments.
      execute(args, { ...context, agent: { ...context.agent, resumeData: undefined }, [OWN]: own }),
    );
    this.#decided.delete(context.agent?.toolCallId ?? '');
    return ran;
  }
}

type FirstOrParked = Partial<ParkedTurn> & { readonly messages?: unknown };
type Execute = (input: object, context: object) => Promise<unknown>;

interface DecidedCall extends WaitingCall {
  readonly key: string;
}

const OWN = Symbol('holdpoint');

function notAsked(tool: string): string {
  return `Nobody allowed "${tool}". Resume what park returned with resume of the gate.`;
}

/**
 * Returns the approved call that a gated tool runs for: its approvers, and the `idempotency_key` for its effect. Throws in a
 * tool that is not gated.
 *
 * @param context - what the tool gets beside its input
 */
export function approvedCall(context: object): Redeemed {
  return approvedCallOf((context as { readonly [OWN]?: object })[OWN] ?? context);
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output ?? null);
}

async function askedCall(
  { run, tools, request, editSchemas }: GateOptions<Tools>,
  call: WaitingCall,
): Promise<AskedCall> {
  const inputSchema =
    editSchemas?.[call.tool] ?? (await jsonSchemaOf(tools[call.tool]?.inputSchema));
  return { run, ...call, inputSchema, ...(request && { request }) };
}
