import type { EngagementDecision } from '../contracts/engagement.js';
import type { AskedSuspension, InputResponse } from '../contracts/hooks.js';
import type { Intent } from '../contracts/intent.js';

export type { AskedSuspension, InputResponse };

/**
 * What an agent may listen to. Hooks are called in the order of what happened and run beside the
 * call: nothing waits for a promise they return, so a slow hook delays neither a reminder nor the
 * answer. One that fails is reported to `onHookError` and changes nothing else.
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

/** Is told of a hook that threw or rejected. */
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

/** Tells the handler of a hook that failed; a handler that fails too ends on the console. */
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
