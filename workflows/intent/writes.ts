import { condition } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { EngagementDecision } from '../../contracts/engagement.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { Ruling } from '../../contracts/problem.js';
import { checkGate } from '../../domain/graph/dependencies.js';
import {
  changeGovernance,
  changeState,
  changeStatus,
  checkOpen,
  checkVersion,
} from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { writeState, writeStatus } from '../../domain/openintent/ask.js';
import type { AskChange } from '../../domain/openintent/ask.js';
import { isPlanEvent } from '../../domain/plan/message-form.js';
import { decide } from '../../domain/suspension/engagement.js';
import { now } from '../engine/clock.js';
import { demand, failureOf, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { writtenOf } from './entity.js';
import type { IntentEntity } from './entity.js';
import {
  appendEventUpdate,
  engagementUpdate,
  patchStateUpdate,
  planEventSignal,
  setStatusUpdate,
} from './messages.js';
import type {
  AppendEventInput,
  EngagementInput,
  IntentWritten,
  PatchStateInput,
  SetStatusInput,
} from './messages.js';
import { askingContext, commitAsking } from './openintent-ask.js';
import { abandonSuspended } from './questions.js';

/** Status, state, events and engagement decisions. */
export function registerWrites(entity: IntentEntity): void {
  const checkIsOpen = (): void => {
    demand(checkOpen(entity.intent));
  };
  onWrite(
    entity,
    setStatusUpdate,
    (input) => {
      refuseAbandoning(entity);
      demand(statusChange(entity, input));
    },
    uncancelled((input) => setStatus(entity, input)),
  );
  onWrite(
    entity,
    patchStateUpdate,
    (input) => demand(stateChange(entity, input)),
    uncancelled((input) => patchState(entity, input)),
  );
  onWrite(entity, appendEventUpdate, checkIsOpen, (input) => append(entity, input));
  onWrite(entity, engagementUpdate, checkIsOpen, (input) => decideEngagement(entity, input));
}

function append(entity: IntentEntity, { hold, key, ...draft }: AppendEventInput): IntentEvent {
  const known = entity.recorded.under(key);
  if (known) return known;
  const event = entity.post(draft);
  entity.recorded.keep(key, event);
  if (hold) {
    entity.dependencies.hold(hold);
    entity.announcer.changed();
  }
  return event;
}

function decideEngagement(
  entity: IntentEntity,
  { actor, signals }: EngagementInput,
): EngagementDecision {
  const decision = decide(signals);
  const payload = { ...decision, signals: { ...signals } };
  entity.record({ event_type: 'engagement.decision', actor, payload });
  return decision;
}

/** While a question is open, abandoning withdraws it first; the suspension may have been answered. */
async function setStatus(entity: IntentEntity, input: SetStatusInput): Promise<IntentWritten> {
  if (entity.active) {
    await abandonSuspended(entity, input);
    await condition(() => entity.closed);
  } else {
    await commitAsking(entity, demand(statusChange(entity, input)), input);
  }
  return writtenOf(entity);
}

async function patchState(entity: IntentEntity, input: PatchStateInput): Promise<IntentWritten> {
  await commitAsking(entity, demand(stateChange(entity, input)), input);
  return writtenOf(entity);
}

/** One abandonment at a time: the version only moves when the question is withdrawn. */
function refuseAbandoning({ active, intent }: IntentEntity): void {
  if (!active?.abandoning) return;
  throw failureOf({
    code: 'intent_closed',
    detail: 'The intent is being abandoned.',
    state: { intent_status: intent.status },
  });
}

function statusChange(entity: IntentEntity, input: SetStatusInput): Ruling<AskChange> {
  const { intent, dependencies } = entity;
  return onVersion(intent, input.if_match, () => {
    const change = input.openintent_ask
      ? writeStatus(intent, input, askingContext(entity, input))
      : changeStatus(intent, input, input.actor, toInstant(now()));
    if (!change.ok) return change;
    const gate = checkGate(intent, input.status, dependencies.heldUpstream, dependencies.upstream);
    return gate.ok ? change : gate;
  });
}

function stateChange(entity: IntentEntity, input: PatchStateInput): Ruling<AskChange> {
  const { intent } = entity;
  const { patches, actor, if_match, governance } = input;
  const at = toInstant(now());
  if (governance !== undefined)
    return onVersion(intent, if_match, () => changeGovernance(intent, governance, actor, at));
  return onVersion(intent, if_match, () =>
    input.openintent_ask
      ? writeState(intent, patches, askingContext(entity, input))
      : changeState(intent, patches, actor, at, LIMITS.intentStateBytes),
  );
}

function onVersion<T>(intent: Intent, ifMatch: number, next: () => Ruling<T>): Ruling<T> {
  const current = checkVersion(intent, ifMatch);
  return current.ok ? next() : current;
}

/** Takes the events of tasks and plans into the log, as long as the intent is open. */
export function registerPlanEvents(entity: IntentEntity): void {
  onSignal(planEventSignal, isPlanEvent, (event) => {
    if (entity.closed) return;
    entity.settleDue();
    entity.record(event);
  });
}
