import { log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord, TimelineKind } from '../../contracts/suspension.js';
import { describeSuspension } from '../../domain/suspension/details.js';
import { notificationsOf } from '../../domain/suspension/notifications.js';
import { nextInstant } from '../../domain/suspension/schedule.js';
import { isSettled, settleDue } from '../../domain/suspension/state.js';
import type { SuspensionState } from '../../domain/suspension/state.js';
import { viewOf } from '../../domain/suspension/view.js';
import { Journal } from '../engine/journal.js';
import { now } from '../engine/clock.js';
import { Entity, type NextInstant } from '../engine/run.js';
import { progressAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import { Deliveries } from './deliveries.js';
import { Reports } from './reports.js';
import { Timeline, openingRow, settledRow } from './rows.js';

/** The suspension's state in this run, and what follows from each change: report, journal, delivery. */
export class Question extends Entity<SuspensionRun> {
  readonly outbox: Outbox;
  private readonly input: SuspensionRun;
  private readonly journal: Journal;
  private readonly reports: Reports;
  private readonly deliveries: Deliveries;
  readonly timeline: Timeline;
  private current: SuspensionState;
  private revision: number;

  constructor(input: SuspensionRun) {
    super(input);
    const { carried } = input;
    this.input = input;
    this.journal = new Journal(carried?.unwritten);
    this.timeline = new Timeline(input.record.id, this.journal, carried?.timeline);
    this.reports = new Reports(input, this.journal);
    this.outbox = new Outbox(this.reports, this.journal).start();
    this.deliveries = new Deliveries((kind, detail) => {
      this.timeline.add(kind, detail);
      this.describe();
    });
    this.current = carried?.state ?? {
      intent_id: input.intent_id,
      record: input.record,
      attempt: 0,
    };
    this.revision = carried?.revision ?? 0;
    if (!carried) this.open();
    for (const request of carried?.undelivered ?? []) this.deliveries.start(request);
    this.describe();
  }

  get state(): SuspensionState {
    return this.current;
  }

  get settled(): SettledRecord | undefined {
    return isSettled(this.current.record) ? this.current.record : undefined;
  }

  get over(): boolean {
    return this.settled !== undefined;
  }

  override get nextInstant(): NextInstant {
    const { schedule } = this.input;
    const at = nextInstant(schedule, now());
    const summary = at === schedule.expires_at ? 'expires' : `reminder ${this.current.attempt + 1}`;
    return { at, summary };
  }

  get nextRun(): SuspensionRun {
    return { ...this.input, carried: this.carried };
  }

  get view(): SuspensionView {
    return viewOf(this.current, this.input, this.timeline.entries);
  }

  /** What an answer or the clock would find, with everything due at `at` (ms) settled; changes nothing. */
  dueState(at: number): SuspensionState {
    return settleDue(this.current, this.input.schedule, at).state;
  }

  /** Settles what is due at `at` (ms), and what follows from it: events, deliveries, expiry. */
  settleDue(at = now(), answering = false): void {
    this.measure();
    const due = settleDue(this.current, this.input.schedule, at, answering);
    this.current = due.state;
    for (const { attempt, skipped } of due.attempts) this.attempted(attempt, skipped);
    const { fallback_policy } = due.state.record;
    if (due.expired) this.conclude('expired', { fallback_policy });
    else if (due.attempts.length > 0) this.publish();
  }

  /** Takes over the state an accepted answer or cancellation leads to, and publishes it. */
  settle(state: SuspensionState, kind: TimelineKind, detail: JsonObject): void {
    this.current = state;
    this.conclude(kind, detail);
  }

  /** Notes an answer that did not count; at most 50 are kept. */
  reject(detail: JsonObject): void {
    this.measure();
    const kept = this.timeline.count('answer_rejected');
    if (kept < WORKFLOW_LIMITS.keptRefusedAnswers) this.timeline.add('answer_rejected', detail);
    else log.warn('answer_rejected', { kept: false });
  }

  /** Resolves when the subject has got every report so far. */
  async reported(): Promise<void> {
    await this.reports.drained();
  }

  /** Tells the subject the outcome, where there is one; harmless where it knows. */
  report(record = this.settled): void {
    this.measure();
    if (record)
      this.reports.report(record, { kind: 'settled', record, attempt: this.view.attempt });
  }

  /** Ends deliveries, waits until the subject and the store know all. */
  async finish(): Promise<void> {
    await this.deliveries.supersede();
    await this.reports.drained();
    upsertSearchAttributes(progressAttributes(this.view));
    await this.outbox.drained();
  }

  private get carried(): CarriedSuspension {
    return {
      state: this.current,
      timeline: this.timeline.entries,
      revision: this.revision,
      report_sequence: this.reports.sequence,
      unwritten: this.journal.unwritten,
      undelivered: this.deliveries.unfinished,
    };
  }

  /** Reports are not carried: they are on their way before the run ends. */
  override async handOver(): Promise<void> {
    this.deliveries.handOver();
    await this.journal.stop();
    await this.reports.drained();
  }

  private open(): void {
    const { intent_id, subject_workflow_id, asked_by, record, opening_journalled } = this.input;
    this.journal[opening_journalled ? 'appendLazily' : 'append'](openingRow(this.input));
    const agent = intent_id === null ? subject_workflow_id : null;
    const detail = { asked_by, ...(agent !== null && { workflow_id: agent }) };
    this.timeline.add('opened', detail, record.suspended_at);
  }

  private attempted(attempt: ScheduledAttempt, skipped: boolean): void {
    const { channel_hint, notify_to } = attempt;
    const kind = skipped ? 'attempt_skipped' : 'attempt';
    const detail = { attempt: attempt.attempt, due_at: attempt.at, channel_hint, notify_to };
    this.timeline.add(kind, detail);
    const { intent_id, record, schedule } = this.input;
    const max_attempts = schedule.attempts.length;
    if (attempt.attempt > 1)
      this.reports.report(record, { kind: 'attempt', attempt, max_attempts, skipped });
    if (skipped) return;
    for (const request of notificationsOf(intent_id, record, attempt, max_attempts)) {
      this.deliveries.start(request);
    }
  }

  private conclude(kind: TimelineKind, detail: JsonObject): void {
    const record = this.settled;
    if (!record) return;
    this.timeline.add(kind, detail);
    this.report();
    this.journal.append(settledRow({ ...this.current, record }, ++this.revision));
    this.describe();
  }

  private publish(): void {
    const { attempt, max_attempts, next_attempt_at, id } = this.view;
    if (attempt === 1) return;
    this.journal.append({
      kind: 'suspension_progress',
      suspension_id: id,
      revision: ++this.revision,
      attempt,
      max_attempts,
      next_attempt_at,
    });
    this.describe();
    upsertSearchAttributes(progressAttributes(this.view));
  }

  private describe(): void {
    setCurrentDetails(describeSuspension(this.view, this.input.subject_workflow_id));
  }
}
