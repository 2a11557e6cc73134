import { setHandler } from '@temporalio/workflow';
import type { Caller } from '../../contracts/people/caller.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { isGate, isNews, isOrder } from '../../domain/plan/message-form.js';
import { checkClaim, claim, mayWaitForClaim, taskAccess } from '../../domain/plan/task-claim.js';
import {
  checkTaskWriter,
  checkTaskVersion,
  forceTask,
  patchTask,
} from '../../domain/plan/task-patch.js';
import { andThen, evolve, type TaskChange } from '../../domain/plan/task-state.js';
import { obey, proceed, retryTask, takeGate, takeUpstream } from '../../domain/plan/task.js';
import { readerOf, type AccessLevel } from '../../domain/policy/access-list.js';
import { authorize } from '../../domain/policy/authorize.js';
import { demand, logMalformed, onSignal, onWrite } from '../engine/handlers.js';
import { announcementSignal, creationQuery, newsSignal } from '../engine/messages.js';
import { run } from '../engine/run.js';
import { TaskEntity, type TaskRun } from './entity.js';
import {
  claimTaskUpdate,
  gateSignal,
  orderSignal,
  patchTaskUpdate,
  retrySignal,
  taskQuery,
  type ClaimReceipt,
  type ClaimTaskInput,
  type PatchTaskInput,
} from './messages.js';

/**
 * One task (RFC-0012 §1) and the mirror of its intent (RFC-0026 Rule 3). It ends with the intent and not before,
 * because that may be suspended again.
 */
export async function task(input: TaskRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new TaskEntity(input);
      registerTaskHandlers(entity);
      return entity;
    },
    cancel(entity) {
      entity.cancel('cancelled through Temporal');
    },
  });
}

/** Registers writes and claims, and the messages of intent, plan and other tasks. */
function registerTaskHandlers(entity: TaskEntity): void {
  onWrite(
    entity,
    patchTaskUpdate,
    'Change the task',
    (input) => patchOf(entity, input),
    (input) => {
      const { at } = entity;
      const change = patchOf(entity, input);
      const goOn = () => andThen(change, (state) => proceed(state, at));
      entity.apply(goOn, input.by.principal);
      return entity.written;
    },
  );
  onWrite(
    entity,
    claimTaskUpdate,
    'Claim the task',
    ({ by, wait }) => {
      const { due } = entity;
      const { principal } = by;
      demand(authorize(by, 'claimTask', { access: accessFor(entity, by) }));
      if (!(wait && mayWaitForClaim(due, principal))) demand(checkClaim(due, principal));
    },
    (input) => take(entity, input),
  );
  setHandler(taskQuery, () => entity.task);
  setHandler(creationQuery, () => entity.creation);
  entity.observers.listen(() => entity.measure());
  onSignal(announcementSignal, isAnnouncement, (announcement) =>
    entity.takeAnnouncement(announcement),
  );
  onSignal(newsSignal, isNews, (news) =>
    entity.apply((state) => takeUpstream(state, news, entity.at)),
  );
  registerPlanMessages(entity);
}

function registerPlanMessages(entity: TaskEntity): void {
  onSignal(gateSignal, isGate, (gate) => entity.apply((state) => takeGate(state, gate, entity.at)));
  onSignal(orderSignal, isOrder, (order) => {
    entity.settleDue();
    entity.apply((state) => obey(state, order, entity.at));
  });
  setHandler(retrySignal, (attempt, granted) => {
    if (!Number.isInteger(attempt)) {
      logMalformed(retrySignal);
      return;
    }
    entity.settleDue();
    const { at } = entity;
    entity.apply((state) =>
      andThen(retryTask(state, attempt, at, granted), (next) => proceed(next, at)),
    );
  });
}

/** Throws a refusal. */
function patchOf(entity: TaskEntity, input: PatchTaskInput): TaskChange {
  const { by, actor, if_match, request, any_status = false } = input;
  const { due: state, at } = entity;
  const access = accessFor(entity, by);
  // The OpenIntent API assigns a task to the name of an agent, which is no principal.
  if (!any_status) demand(checkTaskWriter(state.task, by, access));
  demand(checkTaskVersion(state.task, if_match));
  const write = { request, actor, at, maxBytes: LIMITS.taskOutputBytes };
  return demand(any_status ? forceTask(state, write, by, access) : patchTask(state, write));
}

function accessFor({ due, at }: TaskEntity, by: Caller): AccessLevel {
  return taskAccess(due, readerOf(by), at);
}

/** Grants the claim, or keeps it until it can be granted. */
function take(entity: TaskEntity, { by }: ClaimTaskInput): ClaimReceipt {
  const { principal } = by;
  const { at, state } = entity;
  const granted = claim(state, principal, at);
  if (granted.ok) {
    entity.apply(() => granted.value, principal);
    return { ...entity.written, waits_for: null };
  }
  if (entity.task.waiting_claim === null) {
    const claimant = readerOf(by);
    entity.apply((known) =>
      evolve({ ...known, claimant }, at, { waiting_claim: { agent_id: principal, since: at } }),
    );
  }
  return { ...entity.written, waits_for: granted.refusal };
}
