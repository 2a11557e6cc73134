import type { JsonValue } from '../contracts/json.js';
import type { FallbackPolicy } from '../contracts/retry-policy.js';
import type { SuspensionRecord } from '../contracts/suspension.js';
import { checkValue } from './response.js';

/** What silence comes to: the intent's next status, and the value the agent goes on with. */
interface Fallback {
  readonly status: 'active' | 'abandoned';
  readonly fallback_policy: FallbackPolicy;
  readonly value?: JsonValue;
  /** Present, and false, only where an operator could not have answered with this value (AM-06). */
  readonly fallback_value_valid?: false;
}

/**
 * What happens when nobody answers, from the record alone (R25-02, RFC-0025 §6). `fail` abandons
 * (AM-02); the other two are one behaviour and never complete the intent (AM-04): it goes on with
 * `fallback_value`, or with null where there is none (AM-05).
 */
export function fallbackOf(
  record: Pick<
    SuspensionRecord,
    'response_type' | 'choices' | 'fallback_policy' | 'fallback_value'
  >,
): Fallback {
  const fallback_policy = record.fallback_policy;
  if (fallback_policy === 'fail') return { status: 'abandoned', fallback_policy };
  const value = record.fallback_value ?? null;
  const valid = checkValue(record, value).ok;
  const settled = { status: 'active', fallback_policy, value } as const;
  return valid ? settled : { ...settled, fallback_value_valid: false };
}
