import type { Ruling } from '../../../contracts/kernel/problem.js';
import type {
  FallbackPolicy,
  HumanRetryPolicy,
  PartialRetryPolicy,
} from '../../../contracts/suspension/retry-policy.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { defined } from '../../../contracts/constants/defined.js';

type Level = PartialRetryPolicy | null | undefined;

/** The levels of the cascade (R26-64). `inherit: false` ignores platform and agent. */
interface Levels {
  readonly platform: Level;
  readonly agent: Level;
  readonly call: Level;
  readonly inherit: boolean;
}

/** Fields of the call that matter besides its policy. */
interface CallFields {
  readonly timeout_seconds?: number | undefined;
  readonly fallback_policy?: FallbackPolicy | undefined;
}

/** The result of the cascade. `policy` is absent if no level has one. */
interface ResolvedPolicy {
  readonly policy?: HumanRetryPolicy;
  readonly fallback_policy: FallbackPolicy;
  readonly warnings: string[];
}

const INTERVAL_FIELD = 'retry_policy.interval_seconds';

function present(level: Level): PartialRetryPolicy {
  return Object.fromEntries(
    Object.entries(level ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );
}

/**
 * Merges a level of the cascade with the one above (R26-65). A present field wins, null means absent (R26-66), and
 * the ladder is replaced as a whole (R26-68). Absent fields have no key.
 */
export function mergePolicies(upper: Level, lower: Level): PartialRetryPolicy {
  return { ...present(upper), ...present(lower) };
}

/**
 * Returns the interval in seconds, or undefined if `timeout_seconds` is the window; several attempts need one of the
 * two. An interval beyond the timeout is refused if the call set it, else shortened (R26-36).
 */
function intervalOf(
  merged: PartialRetryPolicy,
  own: PartialRetryPolicy,
  timeout: number | undefined,
): Ruling<number | undefined> {
  const interval = merged.interval_seconds ?? undefined;
  if (interval === undefined) {
    const attempts = merged.max_attempts ?? 1;
    if (attempts === 1 || timeout !== undefined) return ok(undefined);
    return refuse('invalid_retry_policy', `${attempts} attempts need an interval or a timeout.`, {
      field: INTERVAL_FIELD,
      accepted: 'a positive whole number of seconds',
    });
  }
  if (timeout === undefined || interval <= timeout) return ok(interval);
  if (own.interval_seconds === undefined) return ok(timeout);
  return refuse('invalid_retry_policy', 'The interval is longer than the timeout.', {
    field: INTERVAL_FIELD,
    accepted: `<= timeout_seconds (${timeout})`,
  });
}

function warningsFor(policy: HumanRetryPolicy): string[] {
  return policy.escalation_ladder
    .filter((entry) => entry.attempt > policy.max_attempts)
    .map(
      (entry) =>
        `The escalation_ladder entry for attempt ${entry.attempt} never triggers: max_attempts is ${policy.max_attempts}.`,
    );
}

/**
 * Resolves the cascade once, when a question is asked (R26-72). The call's `fallback_policy` counts as
 * `final_fallback_policy` unless its own policy has one (R26-53, R26-73); the result has the one in force. A ladder
 * entry beyond the last attempt stays with a warning, because a call may shorten an inherited policy. Refuses
 * `invalid_retry_policy`.
 */
export function resolvePolicy(levels: Levels, call: CallFields): Ruling<ResolvedPolicy> {
  const own = present(levels.call);
  const inherited = levels.inherit ? mergePolicies(levels.platform, levels.agent) : {};
  const merged = mergePolicies(inherited, own);
  if (Object.keys(merged).length === 0) {
    return ok({ fallback_policy: call.fallback_policy ?? 'fail', warnings: [] });
  }
  const interval = intervalOf(merged, own, call.timeout_seconds);
  if (!interval.ok) return interval;
  const final =
    own.final_fallback_policy ?? call.fallback_policy ?? inherited.final_fallback_policy ?? 'fail';
  const policy: HumanRetryPolicy = {
    max_attempts: merged.max_attempts ?? 1,
    ...defined({ interval_seconds: interval.value }),
    strategy: merged.strategy ?? 'fixed',
    escalation_ladder: merged.escalation_ladder ?? [],
    final_fallback_policy: final,
  };
  return ok({ policy, fallback_policy: final, warnings: warningsFor(policy) });
}
