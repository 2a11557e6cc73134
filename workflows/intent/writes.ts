import { condition, log } from '@temporalio/workflow';
import type { Caller } from '../../contracts/people/caller.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { EngagementDecision } from '../../contracts/suspension/engagement.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { IntentStatus } from '../../contracts/intent/intent.js';
import { checkGate } from '../../domain/graph/dependencies.js';
import {
  changeGovernance,
  changeStatus,
  checkOpen,
  checkVersion,
} from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import {
  writePlainState,
  writeState,
  writeStatus,
  type AskChange,
  type AskWrite,
} from '../../domain/openintent/question-writes.js';
import { ok } from '../../domain/kernel/ruling.js';
import {
  checkAllowedAgent,
  checkGovernedStatus,
  checkGovernedWrite,
  type Governed,
} from '../../domain/policy/governance.js';
import {
  checkPostedType,
  isAboutOpenQuestion,
  isClaim,
} from '../../domain/policy/posted-events.js';
import { decide } from '../../domain/suspension/telling/engagement.js';
import { now } from '../engine/clock.js';
import { demand, failureOf, onWrite, uncancelled } from '../engine/handlers.js';
import { refusedHold } from './dependencies.js';
import type { IntentEntity } from './entity.js';
import {
  appendEventUpdate,
  engagementUpdate,
  patchStateUpdate,
  setStatusUpdate,
  type AppendEventInput,
  type AskingInput,
  type EngagementInput,
  type IntentWritten,
  type PatchStateInput,
  type SetStatusInput,
} from './messages.js';
import { checkGoverned } from './governed.js';
import { mayDo } from './rights.js';
import { askerOf, noteQuestion, startChosen } from './questions.js';
import { abandonSuspended, approvalsTold, withdrawQuestion } from './withdrawal.js';

const SUSPENDED = 'suspended_awaiting_input';

/** Registers status, state, events and engagement decisions. */
export function registerWrites(entity: IntentEntity): void {
  onWrite(
    entity,
    setStatusUpdate,
    'Change the status',
    (input) => {
      refuseAbandoning(entity);
      statusChange(entity, input);
    },
    uncancelled((input) => setStatus(entity, input)),
  );
  onWrite(
    entity,
    patchStateUpdate,
    'Change the state',
    (input) => stateChange(entity, input),
    uncancelled((input) => patchState(entity, input)),
  );
  onWrite(
    entity,
    appendEventUpdate,
    'Append an event',
    (input) => {
      demand(checkOpen(entity.intent));
      checkAppended(entity, input);
    },
    (input) => append(entity, input),
  );
  onWrite(
    entity,
    engagementUpdate,
    'Decide how an operator is engaged',
    ({ by }) => {
      demand(mayDo(entity, by, 'engage'));
      demand(checkOpen(entity.intent));
    },
    (input) => decideEngagement(entity, input),
  );
}

function checkAppended(
  entity: IntentEntity,
  { posted, action, by, ...event }: AppendEventInput,
): void {
  if (posted) checkPosted(entity, by, event);
  else if (action !== undefined) demand(mayDo(entity, by, action));
  if (posted || action !== 'assignAgent') return;
  const { agent_id } = event.payload;
  demand(checkGoverned(entity, by, (governed) => checkAllowedAgent(governed, agent_id)));
}

/** Only the asker may post an event about the open question, because readers of the log may take it for the server's. */
function checkPosted(
  entity: IntentEntity,
  by: Caller,
  event: Pick<AppendEventInput, 'event_type' | 'payload'>,
): void {
  demand(checkPostedType(event.event_type));
  const openId = entity.active?.suspension_id;
  const isAbout = entity.suspended && isAboutOpenQuestion(event, openId);
  demand(mayDo(entity, by, 'appendEvent', isAbout ? 'aboutOpenQuestion' : undefined));
  demandGoverned(entity, by);
}

/** Throws the refusal of a write that the governance policy forbids; the owner of the intent may always write. */
function demandGoverned(entity: IntentEntity, by: Caller): void {
  const check = (governed: Governed, isOwner: boolean) =>
    isOwner ? ok<true>(true) : checkGovernedWrite(governed, by.principal);
  demand(checkGoverned(entity, by, check));
}

function append(entity: IntentEntity, input: AppendEventInput): IntentEvent {
  const { hold, key, by, posted, action: _action, ...event } = input;
  const known = entity.recorded.under(key);
  if (known) return known;
  const claims = posted && isClaim(event.event_type);
  const isRefused = hold !== undefined && entity.dependencies.isTooMany(hold);
  const draft = isRefused
    ? refusedHold(event)
    : { ...event, ...(claims && { claimed: true as const }) };
  const appended = entity.post(draft, by.principal);
  entity.recorded.keep(key, appended);
  if (hold && !isRefused) {
    entity.dependencies.hold(hold);
    entity.announcer.changed();
  }
  return appended;
}

function decideEngagement(
  entity: IntentEntity,
  { by, actor, signals }: EngagementInput,
): EngagementDecision {
  const decision = decide(signals);
  const payload = { ...decision, signals: { ...signals } };
  entity.record({ event_type: 'engagement.decision', actor, payload }, by.principal);
  return decision;
}

/** While a question is open, abandoning withdraws it first; the suspension may have been answered. */
async function setStatus(entity: IntentEntity, input: SetStatusInput): Promise<IntentWritten> {
  if (entity.active) {
    await abandonSuspended(entity, input);
    await condition(() => entity.over);
  } else {
    await commitAsking(entity, statusChange(entity, input), input);
  }
  await approvalsTold(entity);
  return entity.written;
}

async function patchState(entity: IntentEntity, input: PatchStateInput): Promise<IntentWritten> {
  const change = stateChange(entity, input);
  const { withdraws, dropped } = change;
  if (dropped) log.warn('claimed_answer_dropped', { fields: dropped });
  if (!withdraws) {
    await commitAsking(entity, change, input);
    return entity.written;
  }
  await withdrawQuestion(entity, input.by, withdraws);
  return { ...entity.written, withdrew: withdraws.suspension_id };
}

/** Allows one abandonment at a time, because the version changes only when the question is withdrawn. */
function refuseAbandoning({ active, intent }: IntentEntity): void {
  if (!active?.abandoning) return;
  throw failureOf({
    code: 'intent_closed',
    detail: 'The intent is being abandoned.',
    state: { intent_status: intent.status },
  });
}

/** Throws a refusal. */
function statusChange(entity: IntentEntity, input: SetStatusInput): AskChange {
  const { intent, dependencies } = entity;
  const abandons = entity.suspended && input.status === 'abandoned';
  const asks = input.openintent_ask && isAsking(entity, input.status);
  const when = abandons ? 'abandonsSuspended' : asks ? 'asks' : undefined;
  demand(mayDo(entity, input.by, 'setStatus', when));
  if (!asks)
    demand(checkGoverned(entity, input.by, (policy) => checkGovernedStatus(policy, input)));
  demand(checkVersion(intent, input.if_match));
  const change: AskChange = demand(
    input.openintent_ask
      ? writeStatus(intent, input, askingContext(entity, input))
      : changeStatus(intent, input, input.actor, toInstant(now())),
  );
  demand(checkGate(intent, input.status, dependencies.heldUpstream, dependencies.upstream));
  return change;
}

/** Whether a status is the first write of a question, or reverts it before its record arrives. */
function isAsking({ suspended, active }: IntentEntity, status: IntentStatus): boolean {
  return status === SUSPENDED || (suspended && active === undefined && status === 'active');
}

/** Throws a refusal. */
function stateChange(entity: IntentEntity, input: PatchStateInput): AskChange {
  const { intent } = entity;
  const { patches, actor, if_match, governance } = input;
  demand(mayDo(entity, input.by, actionOf(input)));
  if (governance === undefined) demandGoverned(entity, input.by);
  demand(checkVersion(intent, if_match));
  if (governance !== undefined) {
    const at = toInstant(now());
    return demand(changeGovernance(intent, governance, actor, at, LIMITS.intentFieldBytes));
  }
  const write = input.openintent_ask ? writeState : writePlainState;
  return demand(write(intent, patches, askingContext(entity, input)));
}

function actionOf({ governance, openintent_ask }: PatchStateInput) {
  if (governance !== undefined) return 'setGovernance';
  return openintent_ask ? 'patchStateOrAsk' : 'patchState';
}

function askingContext(entity: IntentEntity, { by, actor, warnings }: AskingInput): AskWrite {
  const { active, waiting, recorded } = entity;
  return {
    by,
    actor,
    ...defined({ warnings }),
    now: now(),
    asker: waiting.asker,
    questionIsOpen: active !== undefined,
    lastId: waiting.lastId,
    usedIds: recorded.questionIds,
    maxBytes: LIMITS.intentStateBytes,
    limits: LIMITS,
  };
}

/** Applies a write. If it completes a question of the OpenIntent API, that suspension starts. */
async function commitAsking(
  entity: IntentEntity,
  change: AskChange,
  { by, actor }: AskingInput,
): Promise<void> {
  const { intent, opens } = change;
  const events = change.events.filter((draft) => !entity.wasPosted(draft, by.principal));
  const rows = entity.commit({ intent, events }, by.principal);
  if (!opens) return;
  const question = { ...askerOf(entity, { by, actor }), ...opens };
  noteQuestion(entity, question, rows, actor);
  await startChosen(entity, question, by.principal);
}
