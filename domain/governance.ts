import type { Intent } from '../contracts/intent.js';
import type { JsonObject } from '../contracts/json.js';
import type { Ruling } from '../contracts/refusal.js';
import { checkOpen, type IntentChange } from './intent-entity.js';
import { ok } from './ruling.js';

/**
 * Keeps a governance policy with the intent, or removes it (wire contract §7): one version, and one event.
 * It is kept as it is given, and not enforced. Refuses `intent_closed`.
 */
export function changeGovernance(
  intent: Intent,
  policy: JsonObject | null,
  actor: string,
  now: string,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const version = intent.version + 1;
  const { governance_policy: _former, ...rest } = intent;
  const payload = policy === null ? { version } : { policy, version };
  const event_type = policy === null ? 'governance.policy_removed' : 'governance.policy_set';
  return ok({
    intent: {
      ...rest,
      ...(policy !== null && { governance_policy: policy }),
      version,
      updated_at: now,
    },
    events: [{ event_type, actor, payload }],
  });
}
