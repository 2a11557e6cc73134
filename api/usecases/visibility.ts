import type { Reader } from '../../contracts/intent/access.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { Intent, IntentSummary } from '../../contracts/intent/intent.js';
import type { Plan, PlanSummary } from '../../contracts/plan/plan.js';
import { maskedEvent, withShortId, type MaskedEvent } from '../../domain/intent/masked-event.js';
import { authorize, mayAll } from '../../domain/policy/authorize.js';
import type { Action } from '../../domain/policy/rules.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { shortened } from '../../domain/kernel/text.js';
import { demand } from '../errors.js';
import type { Caller, Listed, ListedForm, Read } from '../parts/caller.js';
import { referenced } from '../parts/refusals.js';
import { readerOf } from '../../domain/policy/access-list.js';
import { IN_BODY, type Call, type UseCase } from './usecase.js';

/**
 * Whether a caller may read whole ids of questions. Half of what an answer needs is the question's id.
 *
 * @param owner - the principal that made the intent; nothing if that is not known
 */
export function seesQuestions(caller: Caller, owner: string | null | undefined): boolean {
  return authorize(caller, 'seeQuestionIds', { owner: owner ?? undefined }).ok;
}

/** Returns the caller as a reader, if access lists narrow what it reads. */
export function readerFor({ caller, parts }: Call): Reader | undefined {
  return readerOf(caller, parts.config.authorization.agents_read);
}

/**
 * Demands that an intent's access list lets the caller run a use case. Throws `forbidden`, and what `getIntent`
 * throws.
 */
export async function demandAccess(
  call: Call,
  { name, intentIn }: Pick<UseCase, 'intentIn' | 'name'>,
  input: readonly unknown[],
) {
  const intentId = intentIn?.(...(input as never[]));
  if (intentId === undefined || readerFor(call) === undefined) return;
  const reading = call.parts.access.demandAccess(call.caller, name, intentId);
  await (intentIn === IN_BODY ? referenced('intent_id', reading) : reading);
}

/** Returns what was read of something that belongs to an intent, if the access list lets the caller read it. */
export async function readable<T extends { readonly intent_id?: string | null | undefined }>(
  call: Call,
  action: Action,
  reading: Promise<Read<T>>,
): Promise<Read<T>> {
  const read = await reading;
  const { intent_id } = read.value;
  const { caller, parts } = call;
  if (intent_id && readerFor(call)) await parts.access.demandAccess(caller, action, intent_id);
  return read;
}

/**
 * Demands that a caller may do something to an intent, which reading it cannot change.
 *
 * @throws RefusalError `forbidden`, or what `getIntent` throws
 */
export async function demandFor({ parts, caller }: Call, action: Action, intentId: string) {
  if (mayAll(caller, action)) return;
  const { value } = await parts.reads.getIntent(intentId);
  demand(authorize(caller, action, { owner: value.owner }));
}

/** Returns the same for an intent by its id. Throws what `getIntent` throws. */
export async function seesQuestionsOf({ parts, caller }: Call, intentId: string) {
  if (mayAll(caller, 'seeQuestionIds')) return true;
  const { value } = await parts.reads.getIntent(intentId);
  return seesQuestions(caller, value.owner);
}

export function intentFor(caller: Caller, intent: Intent): Intent {
  const record = intent.state[SUSPENSION_SLOT];
  if (record === undefined || seesQuestions(caller, intent.owner)) return intent;
  return { ...intent, state: { ...intent.state, [SUSPENSION_SLOT]: withShortId(record, 'id') } };
}

/** A list of intents as the caller may read them; a summary has no question. */
export function intentsFor(
  { caller }: Call,
  list: ListedForm<Intent, IntentSummary>,
): ListedForm<Intent, IntentSummary> {
  if (!list.whole) return list;
  return { ...list, value: list.value.map((intent) => intentFor(caller, intent)) };
}

export function planFor(caller: Caller, plan: Plan): Plan {
  if (seesQuestionsOfPlan(caller, plan)) return plan;
  const checkpoints = plan.checkpoints.map(withShortQuestion);
  return { ...plan, checkpoints, escalations: plan.escalations.map(withShortQuestion) };
}

export function plansFor(
  caller: Caller,
  list: ListedForm<Plan, PlanSummary>,
): ListedForm<Plan, PlanSummary> {
  if (list.whole) return { ...list, value: list.value.map((plan) => planFor(caller, plan)) };
  const value = list.value.map((plan) =>
    seesQuestionsOfPlan(caller, plan)
      ? plan
      : { ...plan, escalations: plan.escalations.map(withShortQuestion) },
  );
  return { ...list, value };
}

function seesQuestionsOfPlan(caller: Caller, { created_by: maker }: PlanSummary): boolean {
  return authorize(caller, 'seeQuestionIds', { maker }).ok;
}

function withShortQuestion<T extends { readonly suspension_id: string | null }>(asked: T): T {
  const { suspension_id } = asked;
  return { ...asked, suspension_id: suspension_id === null ? null : shortened(suspension_id) };
}

/** Returns a page of a log, with short ids for a caller who may not read the whole ones. */
export function eventsFor(
  sees: boolean,
  { value, ...rest }: Listed<IntentEvent>,
): Listed<MaskedEvent> {
  return { value: sees ? value : value.map(maskedEvent), ...rest };
}

export function eventFor(caller: Caller, event: IntentEvent, owner: string | null): MaskedEvent {
  return seesQuestions(caller, owner) ? event : maskedEvent(event);
}
