import { WorkflowNotFoundError } from '@temporalio/client';
import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { phasedPlanView } from '../../../domain/plan/state.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import type { Compliance, PhaseName } from './compliance.js';
import { assertArmed } from './histories.js';
import { idOf } from './plans.js';

/** Seconds from asking: when it reminds, when an operator answers, and so on (RFC-0026 §9). */
export const AT = { reminded: 3_600, answered: 5_400, done: 5_500, paged: 7_200, expired: 10_800 };

/** The rows of the timeline, each checked against what the store and the portfolio hold. */
export class ComplianceRows {
  private readonly story: Compliance;
  private readonly view: LiveView;

  constructor(story: Compliance, view: LiveView) {
    this.story = story;
    this.view = view;
  }

  /** The instant so many seconds after the question, ISO-8601. */
  instant(seconds: number): string {
    return new Date(Date.parse(this.view.record.suspended_at) + seconds * 1_000).toISOString();
  }

  /** Fails unless an instant has its place in the timeline: no row that is planned later comes before it. */
  at(seconds: number, instant: string, row: string): void {
    const planned = this.instant(seconds);
    const later = Object.values(AT).filter((other) => other > seconds);
    const isFirst = later.every((other) => instant < this.instant(other));
    assert.ok(planned <= instant && isFirst, `${row} at ${instant}, planned at ${planned}`);
  }

  /** Fails unless all attempts up to one were due at their instants, and had a timer each. */
  async attempted(attempts: number): Promise<void> {
    const { activities } = this.story.world;
    const due = [0, AT.reminded, AT.paged].slice(0, attempts).map((after) => this.instant(after));
    const entries = activities.timelineOf(this.view.id).filter(({ kind }) => kind === 'attempt');
    assert.deepEqual(
      entries.map(({ detail }) => detail['due_at']),
      due,
    );
    await assertArmed(this.story.world.suspension(this.view.id), due.slice(1));
  }

  /** Lets time pass until so many seconds after the question. */
  async until(seconds: number): Promise<void> {
    const left = Date.parse(this.instant(seconds)) - (await this.story.world.now());
    if (left > 0) await this.story.world.sleep(left);
  }

  /** Messages that went out: attempt, channel and recipient. */
  sent(): readonly unknown[] {
    return this.notified().map((one) => [one.attempt, one.channel_hint, one.notify_to]);
  }

  private notified() {
    const { notified } = this.story.world.activities;
    return notified.filter(({ suspension_id }) => suspension_id === this.view.id);
  }

  /** TL-03 … TL-07 and TD-01. */
  async asked(): Promise<void> {
    const { story, view } = this;
    await story.intentOnce('compliance_review', 'suspended_awaiting_input');
    const suspended = await story.event('compliance_review', 'intent.suspended');
    this.at(0, suspended.created_at, 'TL-03, TL-06');
    assert.equal(view.record.expires_at, this.instant(AT.expired), 'TD-01');
    const task = await story.taskOnce('compliance_review', { status: 'blocked' });
    const { blocked_reason, suspended_intent_id } = task;
    const intent_id = idOf(story.intent('compliance_review'));
    assert.deepEqual([blocked_reason, suspended_intent_id], ['intent_suspended', intent_id]);
    this.at(0, task.updated_at, 'TL-04');
    const blocked = await story.event('generate_report', 'status_changed', { status: 'blocked' });
    assert.equal(blocked.payload['reason'], 'upstream_suspended', 'TL-05');
    this.at(0, blocked.created_at, 'TL-05');
    assert.deepEqual(this.sent(), [[1, 'slack', null]], 'TL-06');
    assert.equal(this.notified().at(-1)?.due_at, this.instant(0), 'TL-06');
    await this.suspendedMember();
    await this.progress();
  }

  private async suspendedMember(): Promise<void> {
    const read = await this.story.portfolioOnce(
      (one) => one.aggregate_status.by_status.blocked === 1,
    );
    const { status, aggregate_status, has_suspended_members, suspended_member_count } = read;
    assert.deepEqual([has_suspended_members, suspended_member_count], [true, 1], 'TL-07');
    assert.deepEqual([status, aggregate_status.status], ['active', 'in_progress'], 'R26-06');
    const by_status = { completed: 1, suspended_awaiting_input: 1, blocked: 1 };
    assert.deepEqual(aggregate_status.by_status, by_status, 'R26-84');
    this.at(0, this.only('portfolio.member_suspended').created_at, 'TL-07');
  }

  /** TD-01, and that whoever coordinates sees who waits, as long as it waits (R26-84). */
  async progress(): Promise<void> {
    const { story, view } = this;
    const plan = await story.planOnce(({ progress }) => progress.suspended_tasks.length > 0);
    const suspended = {
      intent_id: idOf(story.intent('compliance_review')),
      suspended_since: view.record.suspended_at,
      expires_at: this.instant(AT.expired),
    };
    const task_id = story.taskId('compliance_review');
    assert.deepEqual(plan.progress.suspended_tasks, [{ task_id, ...suspended }]);
    const phases = phasedPlanView(plan)?.progress.suspended_phases;
    assert.deepEqual(phases, [{ phase_name: 'compliance_review', ...suspended }]);
  }

  /** TL-08 … TL-10 with TD-02, or TD-04. */
  async reminded(attempt: 2 | 3): Promise<void> {
    const [seconds, channel_hint, to, next_attempt_at] =
      attempt === 2
        ? ([AT.reminded, 'email', null, this.instant(AT.paged)] as const)
        : ([AT.paged, 'pagerduty', 'supervisor@example.com', null] as const);
    const of = { suspension_id: this.view.id, attempt };
    const { story } = this;
    const renotified = await story.event('compliance_review', 'intent.suspension_renotified', of);
    const told = { ...of, max_attempts: 3, channel_hint, notify_to: to, next_attempt_at };
    assert.deepEqual(renotified.payload, told, 'TL-08');
    const escalated = await story.event('compliance_review', 'intent.suspension_escalated', of);
    assert.deepEqual(escalated.payload, { ...of, escalated_to: to, channel_hint }, 'TL-10');
    assert.equal(escalated.sequence, renotified.sequence + 1, 'TL-10');
    for (const { created_at } of [renotified, escalated]) this.at(seconds, created_at, 'TL-08');
    const message = this.notified().at(-1);
    assert.deepEqual(this.sent().at(-1), [attempt, channel_hint, to], 'TL-09');
    assert.equal(message?.due_at, this.instant(seconds), 'TL-09');
  }

  /** TL-11, TL-13 as far as the answer alone leads to it, and TD-03. */
  async resumed(value: string): Promise<void> {
    const { story } = this;
    const resumed = await story.event('compliance_review', 'intent.resumed', { value });
    const { updated_at } = await story.intentOnce('compliance_review', 'active');
    this.at(AT.answered, updated_at, 'TL-12');
    const task = await story.taskOnce('compliance_review', { status: 'running' });
    const { blocked_reason, suspended_intent_id, assigned_agent } = task;
    assert.deepEqual(
      [blocked_reason, suspended_intent_id, assigned_agent],
      [null, null, 'compliance_review'],
    );
    const read = await story.portfolioOnce((one) => !one.has_suspended_members);
    assert.equal(read.suspended_member_count, 0, 'TD-03');
    this.at(AT.answered, this.only('portfolio.member_resumed').created_at, 'TD-03');
    await story.planOnce(({ progress }) => progress.suspended_tasks.length === 0);
    const handle = story.world.suspension(this.view.id);
    const { responded_at = '' } = await handle.result();
    this.at(AT.answered, responded_at, 'TL-11');
    assert.ok(responded_at <= resumed.created_at && responded_at <= updated_at, 'TL-12');
    await this.attempted(2);
    const args = [await story.world.answer(this.view, 'deny')] as const;
    // The API makes 409 of this (test/api/usecases).
    await assert.rejects(
      handle.executeUpdate(respondUpdate, { args: [...args] }),
      WorkflowNotFoundError,
    );
  }

  /** TL-12 … TL-14. */
  async completed(): Promise<void> {
    const { story } = this;
    const done = await story.event('compliance_review', 'status_changed', { status: 'completed' });
    this.at(AT.answered, done.created_at, 'TL-12');
    const task = await story.taskOnce('compliance_review', { status: 'completed' });
    this.at(AT.answered, task.completed_at ?? '', 'TL-13');
    const active = await story.event('generate_report', 'status_changed', { status: 'active' });
    this.at(AT.answered, active.created_at, 'TL-14');
    this.nobodyClaimedBefore(task.completed_at ?? '');
  }

  /** TL-16. */
  async done(): Promise<void> {
    const { story } = this;
    const done = await story.event('generate_report', 'status_changed', { status: 'completed' });
    this.at(AT.done, done.created_at, 'TL-16');
    const plan = await story.planOnce(({ state }) => state === 'completed');
    this.at(AT.done, plan.updated_at, 'TL-16');
    const read = await story.portfolioOnce((one) => one.aggregate_status.status === 'completed');
    assert.equal(read.aggregate_status.completion_percentage, 100, 'TL-16');
  }

  /** Up to an instant phase 3 is pending, has no agent, and no claim waits (R26-84). */
  nobodyClaimedBefore(end: string): void {
    const early = this.story
      .taskRows('generate_report')
      .filter(({ updated_at }) => Date.parse(updated_at) < Date.parse(end))
      .map(({ status, assigned_agent, waiting_claim }) => ({
        status,
        assigned_agent,
        waiting_claim,
      }));
    assert.ok(early.length > 0);
    const alone = { status: 'pending', assigned_agent: null, waiting_claim: null };
    assert.deepEqual(
      early,
      early.map(() => alone),
    );
  }

  /** The statuses a phase's intent has gone through, with their reasons. */
  moves(name: PhaseName): readonly unknown[] {
    const changes = this.story.log(name).filter((one) => one.event_type === 'status_changed');
    return changes.map(({ payload }) => [payload['status'], payload['reason']]);
  }

  private only(type: string): IntentEvent {
    const found = this.story.portfolioLog().filter(({ event_type }) => event_type === type);
    assert.equal(found.length, 1, type);
    return found[0] ?? assert.fail(type);
  }
}
