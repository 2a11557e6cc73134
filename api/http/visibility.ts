import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { Plan } from '../../contracts/plan.js';
import { maskedEvent, withShortId } from '../../domain/intent/masked-event.js';
import type { MaskedEvent } from '../../domain/intent/masked-event.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { shortened } from '../../domain/kernel/text.js';
import { mayAnswer } from '../gateway/caller.js';
import type { Caller } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';

/** The intent as a caller may read it: an agent sees the id of its own intent's suspension only (AM-45). */
export function intentFor(caller: Caller, intent: Intent): Intent {
  if (mayAnswer(caller) || intent.created_by === caller.principal) return intent;
  return maskedIntent(intent);
}

/** The intent without the id of its suspension. */
export function maskedIntent(intent: Intent): Intent {
  const record = intent.state[SUSPENSION_SLOT];
  if (record === undefined) return intent;
  return { ...intent, state: { ...intent.state, [SUSPENSION_SLOT]: withShortId(record, 'id') } };
}

/** The plan as a caller may read it: an agent sees the ids of what its own plans ask only (AM-45). */
export function planFor(caller: Caller, plan: Plan): Plan {
  if (mayAnswer(caller) || plan.created_by === caller.principal) return plan;
  return maskedPlan(plan);
}

/** The plan without the ids of what it asks. */
export function maskedPlan(plan: Plan): Plan {
  return {
    ...plan,
    checkpoints: plan.checkpoints.map(shortQuestion),
    escalations: plan.escalations.map(shortQuestion),
  };
}

function shortQuestion<T extends { readonly suspension_id: string | null }>(asked: T): T {
  const { suspension_id } = asked;
  return { ...asked, suspension_id: suspension_id === null ? null : shortened(suspension_id) };
}

/** Events as somebody may read them who neither may answer nor owns the intent (AM-45). */
export function maskedEvents(events: readonly IntentEvent[]): readonly MaskedEvent[] {
  return events.map(maskedEvent);
}

/**
 * Whether a caller may read which suspensions an intent has: it may answer, or made the intent (AM-45).
 * Throws what `getIntent` throws.
 */
export async function seesSuspensions(
  gateway: Pick<Gateway, 'getIntent'>,
  caller: Caller,
  intentId: string,
): Promise<boolean> {
  if (mayAnswer(caller)) return true;
  const { value } = await gateway.getIntent(intentId);
  return value.created_by === caller.principal;
}
