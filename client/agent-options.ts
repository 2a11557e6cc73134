import type { PartialRetryPolicy } from '../contracts/retry-policy.js';
import type { SuspendBody } from '../contracts/suspension-requests.js';
import type { ConnectionOptions } from './connection.js';
import type { HookErrorHandler, Hooks } from './hooks.js';

/**
 * A retry policy as it is written down: any field may be missing and is inherited then, null means
 * the same as missing (R26-65, R26-81, AM-24).
 */
export type HumanRetryPolicy = Readonly<PartialRetryPolicy>;

/** What `new Agent()` takes. */
export interface AgentOptions extends ConnectionOptions {
  /** Middle level of the cascade (R26-71); wins over the property of a subclass. */
  readonly default_human_retry_policy?: HumanRetryPolicy | null | undefined;
  readonly hooks?: Hooks | undefined;
  /** Is told of hooks that fail; writes to the console unless given. */
  readonly onHookError?: HookErrorHandler | undefined;
}

/** The arguments of `requestInput()` (R25-87) in their wire names. */
export type RequestInputOptions = Omit<SuspendBody, 'agent_retry_policy'> & {
  /** Ends the waiting, not the question: use `cancelInput()` to withdraw it. */
  readonly signal?: AbortSignal | undefined;
};
