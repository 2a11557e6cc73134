import type { JsonObject } from '../index.js';
import type { WaitingCall } from './parked-call.js';

/* How Mastra says which calls of a run wait. */

/** A call that is suspended. That of a sub-agent is in the payload of the call that runs the sub-agent. */
export interface Suspension {
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly args?: unknown;
  readonly suspendPayload?: unknown;
}

/** What `generate` returns. */
export interface Result {
  readonly runId?: string | undefined;
  readonly suspendPayload?: unknown;
  /** All calls of the run, in their order. */
  readonly toolCalls: readonly { readonly payload: Suspension }[];
}

/** The call of a gated tool that a suspension is about. */
interface SuspendedCall {
  /** Mastra's ids of the call, and of the calls of sub-agents around it. */
  readonly id: string;
  readonly ownId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Returns the call of a gated tool that a suspension is about; undefined if it is about another. */
export function calledIn(suspended: Suspension, tools: object): SuspendedCall | undefined {
  const { toolCallId = '', toolName = '', args } = suspended;
  const payload = suspended.suspendPayload as Suspension | undefined;
  if (Object.hasOwn(tools, toolName)) {
    const given = (args ?? payload?.args ?? {}) as JsonObject;
    return { id: toolCallId, ownId: toolCallId, tool: toolName, arguments: given };
  }
  const inner = payload === undefined ? undefined : calledIn(payload, tools);
  return inner && { ...inner, id: `${toolCallId}/${inner.id}` };
}

/**
 * Returns the calls of gated tools that wait: the suspended one, and those after it, which Mastra comes to later. A call id may come
 * again in a later turn, so the id counts how often it has come.
 */
export function waitingIn(result: Result | undefined, tools: object): Record<string, WaitingCall> {
  const suspended = result?.suspendPayload as Suspension | undefined;
  if (result === undefined || suspended === undefined) return {};
  const all = result.toolCalls.map(({ payload }) => payload);
  const at = all.findLastIndex(({ toolCallId }) => toolCallId === suspended.toolCallId);
  const later = at < 0 ? [] : all.slice(at + 1);
  const waiting: Record<string, WaitingCall> = {};
  for (const [nth, one] of [suspended, ...later].entries()) {
    const found = calledIn(one, tools);
    if (found === undefined) continue;
    const before = all.slice(0, Math.max(at, 0) + nth);
    const uses = before.filter(({ toolCallId: id }) => id === one.toolCallId);
    const { id, tool, arguments: args } = found;
    const toolCallId = uses.length === 0 ? id : `${id}#${uses.length + 1}`;
    waiting[id] = { toolCallId, tool, arguments: args };
  }
  return waiting;
}
