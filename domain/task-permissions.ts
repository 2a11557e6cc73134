import type { JsonValue } from '../contracts/json.js';

/**
 * The agents that a task's own `permissions` let claim it (RFC-0012 §4.1): the names under `allow`, or the
 * `agent` of each grant there. Undefined where it says nothing of the kind: it then limits nobody.
 */
export function allowedAgents(permissions: JsonValue): readonly string[] | undefined {
  const allow = memberOf(permissions, 'allow');
  if (!Array.isArray(allow)) return undefined;
  return allow.flatMap((one: JsonValue) => {
    const agent = typeof one === 'string' ? one : memberOf(one, 'agent');
    return typeof agent === 'string' ? [agent] : [];
  });
}

function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Readonly<Record<string, JsonValue>>;
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
