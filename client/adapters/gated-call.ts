import { editNote } from '../../contracts/constants/approvals.js';
import {
  ApprovalError,
  ApprovalPending,
  HoldpointError,
  type ApprovalClient,
  type AskedCall,
  type AskedWith,
  type JsonObject,
  type JsonValue,
  type Redeemed,
} from '../index.js';

/* What the adapters of all frameworks share: how a call is decided, and how it runs once. */

export interface GateOptions<Tools> {
  /** The agent's run. Its calls wait together. */
  readonly run: string;
  /** The tools that need approval, by name. */
  readonly tools: Tools;
  /** Further fields of each request: for whom, why, and what people see. */
  readonly request?: AskedWith | undefined;
  /** The JSON Schemas that edited arguments must fit, by tool, where Holdpoint refuses the tool's own; `{}` fits all. */
  readonly editSchemas?: Readonly<Record<string, JsonObject>> | undefined;
}

const approvedCalls = new WeakMap<object, Redeemed>();

/**
 * Returns the approved call that a gated tool runs for: its approvers, and the `idempotency_key` for its effect. Throws in a
 * tool that is not gated.
 *
 * @param options - what the framework gives to the tool beside its arguments, itself and no copy
 */
export function approvedCall(options: unknown): Redeemed {
  const call = approvedCalls.get(options as object);
  if (call === undefined) throw new Error('This tool runs without an approval: gate it first.');
  return call;
}

/** Whether the message of an error is the call's result for the model: people said no, or the call is not the approved one. */
export function isRefusal(error: unknown): error is ApprovalError {
  return error instanceof ApprovalError && !(error instanceof ApprovalPending);
}

/** What people decided about a call; an approved one is leased to this process. Throws ApprovalPending if they have not. */
export async function decisionOf(approvals: ApprovalClient, key: string, call: AskedCall) {
  try {
    await approvals.redeem(key, call.arguments, call.tool);
    return { approved: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { approved: false, reason: error.message };
  }
}

/** A redeemed call and its key. */
export interface RedeemedCall {
  readonly key: string;
  readonly call: Redeemed;
}

/**
 * Runs a redeemed call and records its result; a call that has run returns the recorded one. Throws `result_unrecorded` if the
 * call has run and its result is not recorded. `note` is what the model must read first, if a person edited the arguments.
 *
 * @param options - what the framework gives to the tool
 * @param execute - the tool
 */
export async function runOnce<Options extends object>(
  approvals: ApprovalClient,
  { key, call }: RedeemedCall,
  options: Options,
  execute: (args: JsonObject, options: Options) => unknown,
): Promise<{ readonly output: unknown; readonly note: string | undefined }> {
  const note = call.edited ? editNote(call.tool, call.arguments) : undefined;
  if (call.completed_at !== undefined) return { output: call.result, note };
  const own = { ...options };
  approvedCalls.set(own, call);
  let output: unknown;
  try {
    output = await lastOf(execute(call.arguments, own));
  } catch (cause) {
    // A HoldpointError of this function is about the call itself, never about what the tool does.
    if (note === undefined && !(cause instanceof HoldpointError)) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(note === undefined ? message : `${note}\n${message}`, { cause });
  }
  try {
    await approvals.complete(key, (output ?? null) as JsonValue);
  } catch (cause) {
    const detail = `"${call.tool}" has run, but its result is not recorded. Do not call it again.`;
    throw new HoldpointError('result_unrecorded', detail, { cause });
  }
  return { output, note };
}

/** Awaits an output; of a tool that streams several, the last. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null) return result;
  if (!(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const one of result as AsyncIterable<unknown>) last = one;
  return last;
}
