import assert from 'node:assert/strict';
import type { Intent, IntentStatus } from '../../contracts/intent/intent.js';
import type { Task } from '../../contracts/plan/task.js';
import { isSettled, type SuspensionState } from '../../domain/suspension/record/state.js';
import type { ModelIntent } from './intent.js';
import type { Subscription } from './subscription.js';
import type { ModelTask } from './task.js';
import type { Whole } from './whole.js';

const OVER: readonly string[] = ['completed', 'abandoned', 'cancelled', 'skipped'];
const LEGAL: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  draft: ['active', 'abandoned'],
  active: ['blocked', 'suspended_awaiting_input', 'completed', 'abandoned'],
  blocked: ['active', 'abandoned'],
  suspended_awaiting_input: ['active', 'abandoned'],
  completed: [],
  abandoned: [],
};

/** Whether Rule 2 has blocked it, as its own log tells. */
export function isBlockedByRule({ status, log }: ModelIntent): boolean {
  return status === 'blocked' && isHeldUp(log);
}

function isHeldUp(log: ModelIntent['log']): boolean {
  const last = log.findLast(({ event_type }) => event_type === 'status_changed');
  return last?.payload['reason'] === 'upstream_suspended';
}

/** Whether it holds others up: by its own question, or because others hold it up. */
export function isHolding(intent: ModelIntent): boolean {
  return intent.status === 'suspended_awaiting_input' || isBlockedByRule(intent);
}

/** What has to hold after every step, and what has happened so far. */
export class StepRules {
  /** Subscriptions of dependents during which the dependency was held. */
  readonly held = new Set<Subscription>();
  /** Intents that had to wait for another since all of theirs were completed. */
  readonly waited = new Set<ModelIntent>();
  readonly seen = new Map<string, number>();
  private readonly whole: Whole;
  private readonly intents = new Map<string, { readonly intent: Intent; readonly read: number }>();
  private readonly moved = new Map<string, number>();
  private readonly settled = new Map<string, SuspensionState>();
  /** Why each task was blocked before its intent was suspended. */
  private readonly reasons = new Map<string, string | null>();
  private readonly tasks = new Map<string, { readonly task: Task; readonly read: number }>();

  constructor(whole: Whole) {
    this.whole = whole;
  }

  check(): void {
    for (const intent of this.whole.intents) {
      this.noteHolds(intent);
      this.checkIntent(intent);
      this.checkMoves(intent);
    }
    for (const { state, counted } of this.whole.questions) {
      assert.ok(counted.length <= 1, `answers that counted: ${counted.join()}`);
      const before = this.settled.get(state.record.id);
      if (before) assert.equal(state, before, 'a settled question changed');
      if (isSettled(state.record)) this.settled.set(state.record.id, state);
    }
    for (const task of this.whole.plan.tasks) this.checkTask(task);
  }

  /** A task that is over stays so; what goes on keeps its claim (Rule 3). */
  private checkTask({ task, log }: ModelTask): void {
    const before = this.tasks.get(task.id);
    this.tasks.set(task.id, { task, read: log.length });
    for (const { event_type } of log.slice(before?.read ?? 0)) this.count(event_type);
    if (before === undefined || before.task === task) return;
    const { status, blocked_reason, assigned_agent } = before.task;
    assert.ok(!OVER.includes(status), `${task.name} came back`);
    if (blocked_reason !== 'intent_suspended') this.reasons.set(task.id, blocked_reason);
    if (blocked_reason !== 'intent_suspended' || OVER.includes(task.status)) return;
    if (task.blocked_reason === 'intent_suspended' || task.status === 'failed') return;
    if (assigned_agent === null) return;
    assert.ok(['running', 'blocked'].includes(task.status), `${task.name} is ${task.status}`);
    assert.equal(task.assigned_agent, assigned_agent);
    assert.equal(task.blocked_reason, this.reasons.get(task.id));
  }

  private noteHolds(intent: ModelIntent): void {
    for (const [id, subscription] of intent.subscriptions) {
      if (!subscription.begun || !isHolding(this.whole.intent(id))) continue;
      this.held.add(subscription);
      this.waited.add(intent);
    }
  }

  /** Closed ones never change, versions grow, and only an own question suspends (Rule 1). */
  private checkIntent({ id, intent, active, log, upstream }: ModelIntent): void {
    const before = this.intents.get(id);
    if (before && intent !== before.intent) {
      assert.ok(!OVER.includes(before.intent.status), `${id} was over`);
      assert.ok(intent.version > before.intent.version, `${id}: version stays`);
    }
    const isSuspended = intent.status === 'suspended_awaiting_input';
    assert.equal(isSuspended, active !== undefined, `${id} is suspended by no question of its own`);
    assert.ok(!(intent.status === 'active' && upstream.known.some(({ held }) => held)), id);
    const read = before?.read ?? 0;
    for (const [index, { event_type, payload }] of log.slice(read).entries()) {
      const isFreed = payload['status'] === 'active' && isHeldUp(log.slice(0, read + index));
      if (isFreed) this.checkComplete(intent);
      const reason = payload['reason'];
      this.count(typeof reason === 'string' ? `${event_type} ${reason}` : event_type);
      if (ENDINGS.includes(event_type)) assert.equal(endingsOf(log, payload['suspension_id']), 1);
    }
    this.intents.set(id, { intent, read: log.length });
  }

  private checkMoves({ id, intent, moves }: ModelIntent): void {
    for (const [from, to] of moves.slice(this.moved.get(id) ?? 0)) {
      assert.ok(LEGAL[from].includes(to), `${id} went from ${from} to ${to}`);
      if (to === 'completed') this.checkComplete(intent);
    }
    this.moved.set(id, moves.length);
  }

  private checkComplete({ id, depends_on }: Intent): void {
    for (const one of depends_on) {
      assert.equal(this.whole.intent(one).status, 'completed', `${id} did not wait for ${one}`);
    }
  }

  private count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

const ENDINGS = ['intent.resumed', 'intent.suspension_expired', 'intent.suspension_cancelled'];

function endingsOf(log: ModelIntent['log'], suspensionId: unknown): number {
  return log.filter(
    ({ event_type, payload }) =>
      ENDINGS.includes(event_type) && payload['suspension_id'] === suspensionId,
  ).length;
}
