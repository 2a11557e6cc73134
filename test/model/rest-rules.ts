import assert from 'node:assert/strict';
import type { Task } from '../../contracts/plan/task.js';
import { aggregateOf, aggregateStatusOf, countStatuses } from '../../domain/graph/aggregate.js';
import { planView, phasedPlanView } from '../../domain/plan/state.js';
import { validateClaimInputs } from '../../domain/plan/task-claim.js';
import { isTaskDone } from '../../domain/plan/task-mirror.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import type { ModelIntent } from './intent.js';
import { isBlockedByRule, isHolding, type StepRules } from './step-rules.js';
import type { ModelTask } from './task.js';
import type { Whole } from './whole.js';

const SUSPENDED = 'suspended_awaiting_input';
const OVER: readonly string[] = ['completed', 'cancelled', 'skipped'];

/** What has to hold once everything has come in (RFC-0026 §2, Rules 1 to 5). */
export function checkAtRest(whole: Whole, steps: StepRules): void {
  for (const intent of whole.intents) checkDependent(whole, intent, steps);
  checkPortfolio(whole);
  checkDeadline(whole);
  for (const task of whole.plan.tasks) checkTask(whole.intent(task.task.intent_id), task);
  for (const task of whole.plan.tasks) checkClaim(whole, task);
  checkPlan(whole);
}

/** Rule 2: blocked since one was held, until all are completed. */
function checkDependent(whole: Whole, intent: ModelIntent, { held, waited }: StepRules): void {
  const { id, status, subscriptions, log } = intent;
  const dependencies = intent.intent.depends_on.map((one) => whole.intent(one));
  const incomplete = dependencies.filter((one) => one.status !== 'completed');
  for (const one of incomplete) {
    const subscription = subscriptions.get(one.id) ?? assert.fail();
    const isHeldUp = isHolding(one) || held.has(subscription);
    assert.ok(!(status === 'active' && isHeldUp), `${id} is active in spite of ${one.id}`);
    if (one.status !== 'abandoned' || ['completed', 'abandoned'].includes(status)) continue;
    const told = log.filter(({ payload }) => payload['dependency_id'] === one.id);
    const since = told.findLastIndex(({ event_type }) => event_type === 'dependency_added');
    const abandoned = told
      .slice(since)
      .filter(({ event_type }) => event_type === 'dependency_unsatisfiable');
    assert.equal(abandoned.length, 1, `how often ${id} says that ${one.id} was abandoned`);
  }
  if (isBlockedByRule(intent)) {
    assert.ok(waited.has(intent), `${id} is blocked though nobody was held`);
    assert.notEqual(incomplete.length, 0, `${id} is blocked by nobody`);
  }
  if (incomplete.length === 0) waited.delete(intent);
}

/** Rules 1 and 4: it counts its members, and is none of them itself. */
function checkPortfolio({ portfolio, intents }: Whole): void {
  const members = intents.filter(({ id }) => portfolio.members.has(id));
  const statuses = members.map(({ status }) => status);
  const { view } = portfolio;
  const { total, by_status, status } = view.aggregate_status;
  const counted = (name: string) => statuses.filter((one) => one === name).length;
  assert.equal(total, members.length);
  for (const name of new Set([...statuses, ...Object.keys(by_status)])) {
    assert.equal(by_status[name as keyof typeof by_status] ?? 0, counted(name), name);
  }
  assert.equal(view.suspended_member_count, counted(SUSPENDED));
  assert.equal(view.has_suspended_members, counted(SUSPENDED) > 0);
  const isDone = total > 0 && counted('completed') === total;
  const otherwise = counted('abandoned') > 0 ? 'failed' : 'in_progress';
  assert.equal(status, isDone ? 'completed' : otherwise);
  assert.equal(view.status, 'active');
  const children = countStatuses(intents.map((one) => one.status));
  const aggregate = aggregateOf(intents.map((one) => ({ status: one.status, count: 1 }))).by_status;
  assert.deepEqual(
    Object.fromEntries(Object.entries(aggregate).filter(([, count]) => count > 0)),
    aggregateStatusOf(children).by_status,
  );
  for (const { id, status: own, questions } of members) {
    const told = portfolio.told.get(id) ?? assert.fail();
    const last = told.at(-1);
    if (own === SUSPENDED) {
      assert.deepEqual(last, { kind: 'suspended', suspension_id: questions.at(-1)?.id });
    } else if (own !== 'abandoned') assert.notEqual(last?.kind, 'suspended', `${id} goes on`);
  }
}

/** Rule 5: nothing that was open when the deadline came is open any more; fallbacks do not count. */
function checkDeadline({ portfolio, intents, questions }: Whole): void {
  const { reached, latecomers, members } = portfolio;
  for (const { id, status, questions: own } of intents) {
    const isBound = reached !== undefined && members.has(id) && !latecomers.has(id);
    const asked = own.at(-1)?.state.record.suspended_at ?? '';
    assert.ok(!(isBound && status === SUSPENDED && asked <= reached), `${id} outlived ${reached}`);
  }
  for (const { state } of questions) {
    if (!endedByDeadline(state.record)) continue;
    const { intent, log } = intents.find(({ id }) => id === state.intent_id) ?? assert.fail();
    assert.equal(intent.status, 'abandoned');
    const expired = log.find(({ event_type }) => event_type === 'intent.suspension_expired');
    assert.ok(expired);
    const reasons = ['portfolio_deadline_exceeded', 'requested'];
    assert.ok(reasons.includes(intent.abandonment_reason ?? ''), intent.abandonment_reason);
  }
}

/** Rule 3, AM-36 and AM-37: the task of an intent that waits is blocked, and of one that goes on is not. */
function checkTask(
  { id, status, intent }: ModelIntent,
  { task, state, hadOutput }: ModelTask,
): void {
  const isBlockedByIntent = task.blocked_reason === 'intent_suspended';
  assert.equal(task.suspended_intent_id, isBlockedByIntent ? id : null);
  if (OVER.includes(task.status)) assert.equal(isBlockedByIntent, false);
  else if (status === SUSPENDED && task.status !== 'failed') {
    assert.equal(isBlockedByIntent, true, `${task.name} is ${task.status} while ${id} waits`);
    assert.equal(task.status, 'blocked');
  } else assert.equal(isBlockedByIntent, false, `${task.name} waits for nothing`);
  if (OVER.includes(task.status)) return;
  if (status === 'abandoned') {
    assert.equal(task.status, 'failed');
    assert.notEqual(task.error, null);
  }
  if (status === 'completed') assert.equal(hadOutput, false, `${task.name} is ${task.status}`);
  assert.equal(state.intent?.version, intent.version);
}

/** R26-74: refused for the suspension of an upstream intent, and for nothing else. */
function checkClaim({ plan, intents }: Whole, { task, state }: ModelTask): void {
  if (isTaskDone(state)) return;
  const { static_values } = state.rules;
  const ruling = validateClaimInputs({ task, static_values, upstream: state.upstream });
  const upstream = plan.tasks.filter((one) => task.depends_on.includes(one.task.id));
  const suspended = intents.filter(
    ({ id, status }) => status === SUSPENDED && upstream.some((one) => one.task.intent_id === id),
  );
  const code = ruling.ok ? 'granted' : ruling.refusal.code;
  assert.equal(code === 'upstream_intent_suspended', suspended.length > 0, code);
  const isMissing = upstream.some((one) => one.task.status !== 'completed');
  if (suspended.length === 0) assert.equal(code === 'unresolvable_input', isMissing, code);
  const isGranted = code === 'granted' && task.waiting_claim !== null;
  assert.ok(!(isGranted && task.status === 'ready'), `${task.name} waits for nothing`);
}

/** Rule 4: who waits, since when and until when; the plan itself is never suspended (Rule 1). */
function checkPlan({ plan, intents }: Whole): void {
  const view = planView(plan.state);
  const known = (task: Task) => intents.find(({ id }) => id === task.intent_id) ?? assert.fail();
  const waiting = plan.state.members.flatMap(({ task_id, name }) => {
    const { task } = plan.tasks.find((one) => one.task.id === task_id) ?? assert.fail();
    const { id, status, questions } = known(task);
    const record = questions.at(-1)?.state.record;
    if (status !== SUSPENDED || record === undefined) return [];
    const { suspended_at: suspended_since, expires_at = null } = record;
    return [{ task_id, name, intent_id: id, suspended_since, expires_at }];
  });
  assert.deepEqual(
    view.progress.suspended_tasks,
    waiting.map(({ name: _name, ...rest }) => rest),
  );
  assert.deepEqual(
    phasedPlanView(view)?.progress.suspended_phases,
    waiting.map(({ task_id: _id, name: phase_name, ...rest }) => ({ phase_name, ...rest })),
  );
  for (const { task, state } of plan.tasks) {
    const member = view.members.find(({ task_id }) => task_id === task.id);
    assert.equal(member?.status, task.status);
    if (isTaskDone(state) || OVER.includes(task.status)) continue;
    assert.equal(state.gate.open, view.state === 'active');
  }
  const isDone = plan.tasks.every(({ task }) => ['completed', 'skipped'].includes(task.status));
  if (view.state === 'completed') assert.ok(isDone);
  if (view.state === 'active') assert.ok(!isDone);
  const { on_failure } = view;
  const mayPause = plan.wasPaused || on_failure === 'pause_and_escalate';
  if (view.state === 'paused') assert.ok(mayPause, 'the plan waits with its intent');
  if (view.state === 'failed') assert.ok(['fail', 'retry'].includes(on_failure));
}
