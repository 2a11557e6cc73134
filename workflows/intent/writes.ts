import { condition, log } from '@temporalio/workflow';
import type { Caller } from '../../contracts/caller.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { EngagementDecision } from '../../contracts/engagement.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Intent, IntentStatus } from '../../contracts/intent.js';
import type { Ruling } from '../../contracts/problem.js';
import { checkGate } from '../../domain/graph/dependencies.js';
import {
  changeGovernance,
  changeStatus,
  checkOpen,
  checkVersion,
} from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { writePlainState, writeState, writeStatus } from '../../domain/openintent/ask.js';
import type { AskChange, AskWrite } from '../../domain/openintent/ask.js';
import { ok } from '../../domain/kernel/ruling.js';
import {
  checkAllowedAgent,
  checkGovernedStatus,
  checkGovernedWrite,
} from '../../domain/policy/governance.js';
import {
  checkPostedType,
  isAboutOpenQuestion,
  isClaim,
} from '../../domain/policy/posted-events.js';
import { decide } from '../../domain/suspension/engagement.js';
import { now } from '../engine/clock.js';
import { demand, failureOf, onWrite, uncancelled } from '../engine/handlers.js';
import { refusedHold } from './dependencies.js';
import { writtenOf } from './written.js';
import type { IntentEntity } from './entity.js';
import {
  appendEventUpdate,
  engagementUpdate,
  patchStateUpdate,
  setStatusUpdate,
} from './messages.js';
import type {
  AppendEventInput,
  AskingInput,
  EngagementInput,
  IntentWritten,
  PatchStateInput,
  SetStatusInput,
} from './messages.js';
import { checkGoverned } from './governed.js';
import { mayDo } from './rights.js';
import { abandonSuspended, askerOf, noteQuestion, startChosen } from './questions.js';
import { withdrawQuestion } from './withdrawal.js';

const SUSPENDED = 'suspended_awaiting_input';

/** Status, state, events and engagement decisions. */
export function registerWrites(entity: IntentEntity): void {
  const checkIsOpen = (): void => {
    demand(checkOpen(entity.intent));
  };
  onWrite(
    entity,
    setStatusUpdate,
    'Change the status',
    (input) => {
      refuseAbandoning(entity);
      demand(statusChange(entity, input));
    },
    uncancelled((input) => setStatus(entity, input)),
  );
  onWrite(
    entity,
    patchStateUpdate,
    'Change the state',
    (input) => demand(stateChange(entity, input)),
    uncancelled((input) => patchState(entity, input)),
  );
  onWrite(
    entity,
    appendEventUpdate,
    'Append an event',
    (input) => {
      checkIsOpen();
      demand(checkAppended(entity, input));
    },
    (input) => append(entity, input),
  );
  onWrite(
    entity,
    engagementUpdate,
    'Decide how an operator is engaged',
    ({ by }) => {
      demand(mayDo(entity, by, 'engage'));
      checkIsOpen();
    },
    (input) => decideEngagement(entity, input),
  );
}

/** An event about the open question is the asker's to post: whoever reads the log may take it for the server's. */
function checkAppended(
  entity: IntentEntity,
  { posted, action, by, ...event }: AppendEventInput,
): Ruling<true> {
  if (posted) return checkPosted(entity, by, event);
  if (action === undefined) return ok(true);
  const allowed = mayDo(entity, by, action);
  if (!allowed.ok || action !== 'assignAgent') return allowed;
  const { agent_id } = event.payload;
  return checkGoverned(entity, by, (governed) => checkAllowedAgent(governed, agent_id));
}

function checkPosted(
  entity: IntentEntity,
  by: Caller,
  event: Pick<AppendEventInput, 'event_type' | 'payload'>,
): Ruling<true> {
  const type = checkPostedType(event.event_type);
  if (!type.ok) return type;
  const openId = entity.active?.suspension_id;
  const isAbout = entity.suspended && isAboutOpenQuestion(event, openId);
  const allowed = mayDo(entity, by, 'appendEvent', isAbout ? 'aboutOpenQuestion' : undefined);
  return allowed.ok ? checkGovernedBy(entity, by) : allowed;
}

/** What the governance policy says of a write; whoever owns the intent may write it in any case. */
function checkGovernedBy(entity: IntentEntity, by: Caller): Ruling<true> {
  return checkGoverned(entity, by, (governed, isOwner) =>
    isOwner ? ok(true) : checkGovernedWrite(governed, by.principal),
  );
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
    await commitAsking(entity, demand(statusChange(entity, input)), input);
  }
  return writtenOf(entity);
}

async function patchState(entity: IntentEntity, input: PatchStateInput): Promise<IntentWritten> {
  const change = demand(stateChange(entity, input));
  const { withdraws, dropped } = change;
  if (dropped) log.warn('claimed_answer_dropped', { fields: dropped });
  if (!withdraws) {
    await commitAsking(entity, change, input);
    return writtenOf(entity);
  }
  await withdrawQuestion(entity, input.by, withdraws);
  return { ...writtenOf(entity), withdrew: withdraws.suspension_id };
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
  const abandons = entity.suspended && input.status === 'abandoned';
  const asks = input.openintent_ask && isAsking(entity, input.status);
  const when = abandons ? 'abandonsSuspended' : asks ? 'asks' : undefined;
  const allowed = mayDo(entity, input.by, 'setStatus', when);
  if (!allowed.ok) return allowed;
  const governed = checkGoverned(entity, input.by, (policy) =>
    asks ? ok(true) : checkGovernedStatus(policy, input),
  );
  if (!governed.ok) return governed;
  return onVersion(intent, input.if_match, () => {
    const change = input.openintent_ask
      ? writeStatus(intent, input, askingContext(entity, input))
      : changeStatus(intent, input, input.actor, toInstant(now()));
    if (!change.ok) return change;
    const gate = checkGate(intent, input.status, dependencies.heldUpstream, dependencies.upstream);
    return gate.ok ? change : gate;
  });
}

/** Whether a status is the first write of a question, or takes it back before its record has come. */
function isAsking({ suspended, active }: IntentEntity, status: IntentStatus): boolean {
  return status === SUSPENDED || (suspended && active === undefined && status === 'active');
}

function stateChange(entity: IntentEntity, input: PatchStateInput): Ruling<AskChange> {
  const { intent } = entity;
  const { patches, actor, if_match, governance } = input;
  const at = toInstant(now());
  const allowed = mayDo(entity, input.by, actionOf(input));
  if (!allowed.ok) return allowed;
  if (governance !== undefined)
    return onVersion(intent, if_match, () =>
      changeGovernance(intent, governance, actor, at, LIMITS.intentFieldBytes),
    );
  const governed = checkGovernedBy(entity, input.by);
  if (!governed.ok) return governed;
  return onVersion(intent, if_match, () =>
    input.openintent_ask
      ? writeState(intent, patches, askingContext(entity, input))
      : writePlainState(intent, patches, askingContext(entity, input)),
  );
}

function actionOf({ governance, openintent_ask }: PatchStateInput) {
  if (governance !== undefined) return 'setGovernance';
  return openintent_ask ? 'patchStateOrAsk' : 'patchState';
}

function onVersion<T>(intent: Intent, ifMatch: number, next: () => Ruling<T>): Ruling<T> {
  const current = checkVersion(intent, ifMatch);
  return current.ok ? next() : current;
}

/** What a write through the OpenIntent API is judged by. */
function askingContext(entity: IntentEntity, { by, actor, warnings }: AskingInput): AskWrite {
  const { active, waiting, recorded } = entity;
  return {
    by,
    actor,
    ...(warnings && { warnings }),
    now: now(),
    asker: waiting.asker,
    questionIsOpen: active !== undefined,
    lastId: waiting.lastId,
    usedIds: recorded.questionIds,
    maxBytes: LIMITS.intentStateBytes,
    limits: LIMITS,
  };
}

/** Takes over a write. Through the OpenIntent API it may complete a question, whose suspension then runs like any other. */
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
