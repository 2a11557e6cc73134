import type { EngagementDecision } from '../contracts/suspension/engagement.js';
import type { Intent } from '../contracts/intent/intent.js';
import type { AskedSuspension, InputResponse } from '../contracts/suspension/requests.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import type { SuspensionChoice } from '../contracts/suspension/suspension.js';
import { unexpected } from './reply.js';
import { defined } from '../contracts/constants/defined.js';

export type { AskedSuspension, InputResponse };

/**
 * The hooks of an agent. They are called in the order of events, and nothing waits for a promise that they return: a slow
 * hook delays neither a reminder nor the answer. A failure is reported to `onHookError` and changes nothing else.
 */
export interface Hooks {
  /** The question is stored and attempt 1 begins (R25-93); again at each attempt (R26-60). */
  onInputRequested?(intent: Intent, suspension: AskedSuspension): unknown;
  /** An operator answered (R25-94). */
  onInputReceived?(response: InputResponse, suspension: AskedSuspension): unknown;
  /** Nobody answered in time, whatever the fallback policy (R25-95). */
  onSuspensionExpired?(suspension: AskedSuspension): unknown;
  /** `shouldRequestInput()` decided (R25-96). */
  onEngagementDecision?(decision: EngagementDecision, intentId: string): unknown;
}

export type HookErrorHandler = (error: unknown, hook: keyof Hooks) => void;

/** Writes to the console; the arguments of the hook stay out of it. */
export function logHookError(error: unknown, hook: keyof Hooks): void {
  console.error(`Holdpoint: the hook ${hook} failed.`, error);
}

/** Starts a hook; it never throws, and nothing waits for it. */
export function runHook(hook: keyof Hooks, run: () => unknown, onError: HookErrorHandler): void {
  const report = (error: unknown): void => reportHookError(error, hook, onError);
  try {
    Promise.resolve(run()).catch(report);
  } catch (error) {
    report(error);
  }
}

/** Reports a failed hook to the handler; the failure of a handler goes to the console. */
export function reportHookError(
  error: unknown,
  hook: keyof Hooks,
  onError: HookErrorHandler,
): void {
  try {
    onError(error, hook);
  } catch (second) {
    logHookError(second, hook);
  }
}

/** Returns the copy of a record for hooks, as of the view's attempt (R26-61, R26-62). */
export function askedSuspension(view: SuspensionView): AskedSuspension {
  const { context, channel_hint: ownChannel, ...record } = view.record;
  const inForce = view.schedule.attempts.find((entry) => entry.attempt === view.attempt);
  const channel = inForce === undefined ? ownChannel : (inForce.channel_hint ?? undefined);
  return {
    ...record,
    ...defined({ channel_hint: channel }),
    intent_id: view.intent_id,
    notify_to: inForce?.notify_to ?? null,
    context: { ...context, _attempt: view.attempt, _max_attempts: view.max_attempts },
  };
}

/** The choices of `confirm` if the question names none (R25-33). */
const YES_NO: readonly SuspensionChoice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** Returns the answer of a settled suspension (R25-97), with label and description of its choice. */
export function inputResponse({ record }: SuspensionView): InputResponse {
  const { response: value = null, responded_by, responded_at, comment, data, metadata } = record;
  if (responded_by === undefined || responded_at === undefined) {
    throw unexpected('who answered, and when');
  }
  const offered = record.choices ?? (record.response_type === 'confirm' ? YES_NO : []);
  const choice = offered.find((entry) => entry.value === value);
  return {
    suspension_id: record.id,
    value,
    ...defined({ choice_label: choice?.label, choice_description: choice?.description }),
    responded_by,
    responded_at,
    ...defined({ comment, data, metadata }),
  };
}
