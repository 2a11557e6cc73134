import {
  callKey,
  type ApprovalClient,
  type AskedCall,
  type JsonObject,
  type JsonValue,
} from '../index.js';
import { decisionOf } from './gated-call.js';

/** A call that waits, as the framework keeps it. */
export interface WaitingCall {
  /** The model's id of the call. */
  readonly toolCallId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** By what a framework calls a waiting call, the key of what people were asked about. */
export type Keys = Readonly<Record<string, string>>;

/**
 * Asks people about each call of a turn, once; returns the parked turn.
 *
 * @param calls - by what the framework calls each
 * @param turnOf - the parked turn, as JSON
 * @param state - what `onDecided` gets; the parked turn unless given
 */
export async function parkedTurn<Turn>(
  approvals: ApprovalClient,
  calls: readonly (readonly [string, AskedCall])[],
  turnOf: (keys: Keys) => Turn,
  state: JsonValue | undefined,
): Promise<Turn> {
  const keys = calls.map(async ([id, call]) => [id, await callKey(call)] as const);
  const turn = turnOf(Object.fromEntries(await Promise.all(keys)));
  const resume = state ?? (turn as unknown as JsonValue);
  for (const [, call] of calls) await approvals.ask({ ...call, resume });
  return turn;
}

/** What people decided about a call of a parked turn, and the key of what they were asked about. */
export interface ParkedDecision {
  readonly key: string;
  readonly approved: boolean;
  /** What the model reads instead of a result. */
  readonly reason?: string;
}

/**
 * Returns what people decided about a call. Throws ApprovalPending if they have not.
 *
 * @param given - the key in the parked turn
 */
export async function parkedDecision(
  approvals: ApprovalClient,
  call: AskedCall,
  given: string | undefined,
): Promise<ParkedDecision> {
  const own = await callKey(call);
  const key = isOfSameCall(given, own) ? given : own;
  // Asks again, in case the process died while it parked the turn; but not about a call that was changed since.
  const asked = key === own ? await approvals.ask(call) : undefined;
  if (asked?.status === 'approved') return { key, approved: true };
  return { key, ...(await decisionOf(approvals, key, call)) };
}

/** Whether two keys differ in the hash of the arguments at most, so that a turn brings no approval of another run or call. */
export function isOfSameCall(given: unknown, key: string): given is string {
  if (typeof given !== 'string') return false;
  return given.replace(/[\da-f]{64}$/, '') === key.slice(0, -64);
}
