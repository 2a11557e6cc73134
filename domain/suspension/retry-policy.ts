import type { Ruling } from '../../contracts/problem.js';
import type {
  FallbackPolicy,
  HumanRetryPolicy,
  PartialRetryPolicy,
} from '../../contracts/retry-policy.js';
import { ok, refuse } from '../kernel/ruling.js';

type Level = PartialRetryPolicy | null | undefined;

/** The levels of RFC-0026 §5; `inherit: false` leaves platform and agent out (AM-22). */
interface Levels {
  readonly platform: Level;
  readonly agent: Level;
  readonly call: Level;
  readonly inherit: boolean;
}

/** What the call says beside its policy. */
interface CallFields {
  readonly timeout_seconds?: number | undefined;
  readonly fallback_policy?: FallbackPolicy | undefined;
}

/** What the cascade comes to; `policy` is absent where no level gives anything. */
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
 * Lays one level of the cascade over the one above it: a field that is present wins, whatever its
 * value; null is the same as absent; `escalation_ladder` is one field (R26-64 … 68, AM-24).
 * Absent fields have no key in the result.
 */
export function mergePolicies(upper: Level, lower: Level): PartialRetryPolicy {
  return { ...present(upper), ...present(lower) };
}

/** The cadence in seconds after AM-20 and AM-21; undefined leaves it to `timeout_seconds`. */
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
 * Resolves the cascade once, when a question is asked (RFC-0026 §5; R26-64 … 73, AM-20 … 24).
 * An explicit `fallback_policy` counts as the call's `final_fallback_policy` unless the call's own
 * policy sets one (AM-23); `fallback_policy` in the result is the effective value. An interval
 * given at the call must not exceed its timeout; an inherited one is shortened to it. Ladder
 * entries beyond the last attempt stay, with a warning (AM-27). Refuses `invalid_retry_policy`.
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
    ...(interval.value === undefined ? {} : { interval_seconds: interval.value }),
    strategy: merged.strategy ?? 'fixed',
    escalation_ladder: merged.escalation_ladder ?? [],
    final_fallback_policy: final,
  };
  return ok({ policy, fallback_policy: final, warnings: warningsFor(policy) });
}
