import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { Plan } from '../../contracts/plan.js';
import { maskedEvent, withShortId } from '../../domain/intent/masked-event.js';
import type { MaskedEvent } from '../../domain/intent/masked-event.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { shortened } from '../../domain/kernel/text.js';
import { mayAnswer } from '../gateway/caller.js';
import type { Caller, Read } from '../gateway/caller.js';
import type { Call } from './operation.js';

/**
 * Whether a caller may read the ids of questions: who may answer may read all of them, an agent those
 * of what its own key made. Half of what an answer needs is the question's id.
 *
 * @param owner - who made the intent or the plan; null where nobody did
 */
export function seesQuestions(caller: Caller, owner: string | null): boolean {
  return mayAnswer(caller) || caller.principal === owner;
}

/** The same for an intent by its id. Throws what `getIntent` throws. */
export async function seesQuestionsOf({ gateway, caller }: Call, intentId: string) {
  if (mayAnswer(caller)) return true;
  const { value } = await gateway.getIntent(intentId);
  return seesQuestions(caller, value.created_by);
}

/** The intent as the caller may read it. */
export function intentFor(caller: Caller, intent: Intent): Intent {
  const record = intent.state[SUSPENSION_SLOT];
  if (record === undefined || seesQuestions(caller, intent.created_by)) return intent;
  return { ...intent, state: { ...intent.state, [SUSPENSION_SLOT]: withShortId(record, 'id') } };
}

/** A list of intents as the caller may read them. */
export function intentsFor(
  { caller }: Call,
  { value, stale }: Read<readonly Intent[]>,
): Read<readonly Intent[]> {
  return { value: value.map((intent) => intentFor(caller, intent)), stale };
}

/** The plan as the caller may read it. */
export function planFor(caller: Caller, plan: Plan): Plan {
  if (seesQuestions(caller, plan.created_by)) return plan;
  return {
    ...plan,
    checkpoints: plan.checkpoints.map(withShortQuestion),
    escalations: plan.escalations.map(withShortQuestion),
  };
}

function withShortQuestion<T extends { readonly suspension_id: string | null }>(asked: T): T {
  const { suspension_id } = asked;
  return { ...asked, suspension_id: suspension_id === null ? null : shortened(suspension_id) };
}

/** A page of a log, with short ids for who may not read the whole ones. */
export function eventsFor(
  sees: boolean,
  { value, stale }: Read<readonly IntentEvent[]>,
): Read<readonly MaskedEvent[]> {
  return { value: sees ? value : value.map(maskedEvent), stale };
}

/** An event of the feed as the caller may read it. */
export function eventFor(caller: Caller, event: IntentEvent, owner: string | null): MaskedEvent {
  return seesQuestions(caller, owner) ? event : maskedEvent(event);
}
