import { log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { EligibilityChange, JournalRow } from '../../contracts/journal.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';
import type { ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { judgeAnswer, type Answer, type Judgement } from '../../domain/suspension/answer.js';
import { describeSuspension } from '../../domain/suspension/details.js';
import { namedIn } from '../../domain/suspension/eligibility.js';
import { erasedAsked, erasedState, erasedSuspensionRow } from '../../domain/suspension/erasure.js';
import { notificationsOf } from '../../domain/suspension/notifications.js';
import { judgeResume } from '../../domain/suspension/resume.js';
import { nextInstant } from '../../domain/suspension/schedule.js';
import { isSettled, settleDue, type SuspensionState } from '../../domain/suspension/state.js';
import { viewOf } from '../../domain/suspension/view.js';
import { Journal } from '../engine/journal.js';
import { now } from '../engine/clock.js';
import { Entity, type NextInstant } from '../engine/run.js';
import { progressAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import { Deliveries } from './deliveries.js';
import { Ending } from './ending.js';
import type { EligibilityInput, SuspensionResult } from './messages.js';
import { Opening } from './opening.js';
import { Reports } from './reports.js';
import {
  Timeline,
  answered,
  attemptDetail,
  openedDetail,
  progressRow,
  rejectionOf,
  settledRow,
} from './rows.js';
import type { Happening } from './rows.js';

/** The suspension's state in this run, and what follows from each change: report, journal, delivery. */
export class Question extends Entity<SuspensionRun> {
  readonly outbox: Outbox;
  private input: SuspensionRun;
  private readonly journal: Journal;
  private readonly reports: Reports;
  private readonly deliveries: Deliveries;
  readonly timeline: Timeline;
  private current: SuspensionState;
  private revision: number;
  readonly ending: Ending;
  protected override readonly carriedBytes = WORKFLOW_LIMITS.suspensionCarriedBytes;

  constructor(input: SuspensionRun) {
    super(input);
    const { carried, intent_id, record } = input;
    this.input = input;
    this.timeline = new Timeline(record.id, input, carried);
    this.journal = new Journal(carried?.unwritten, this.timeline);
    this.reports = new Reports(input, this.journal, carried);
    this.ending = new Ending(input, this.journal, this.reports, () => {
      this.report();
    });
    this.outbox = new Outbox(this.reports, this.journal).start();
    const opening = new Opening(input, this.journal);
    this.deliveries = new Deliveries(opening, (...delivery) => {
      this.timeline.add(...delivery);
      this.describe();
    });
    this.current = carried?.state ?? { intent_id, record, attempt: 0 };
    this.revision = carried?.revision ?? 0;
    if (!carried) {
      opening.begin();
      this.timeline.add('opened', openedDetail(input), record.suspended_at);
    }
    this.deliveries.resume(carried?.undelivered, input);
    this.describe();
  }

  get state(): SuspensionState {
    return this.current;
  }

  get settled(): SettledRecord | undefined {
    return isSettled(this.current.record) ? this.current.record : undefined;
  }

  /** All that whoever waits for the workflow would need. */
  get result(): SuspensionResult {
    return this.ending.resultOf(this.current.record as SettledRecord, this.view.attempt);
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

  /** Rows that the store has not confirmed. */
  get unwritten(): readonly JournalRow[] {
    return this.journal.unwritten;
  }

  /** The principal that asked. */
  get askedBy(): string {
    return this.input.asked_by;
  }

  get view(): SuspensionView {
    return viewOf(this.current, this.input, this.timeline.entries);
  }

  /** The state with everything settled that is due at `at` (ms); changes nothing. */
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
    if (due.expired) this.conclude(['expired', { fallback_policy }]);
    else if (due.attempts.length > 0) this.publish();
  }

  /**
   * Judges what would settle the question as of `at` (ms), and takes it over with what was due by then. What is
   * refused or repeated changes nothing, so that it cannot take the place of a later message that came in earlier.
   */
  settle<T extends { readonly state: SuspensionState; readonly repeated?: boolean }>(
    at: number,
    judge: (due: SuspensionState) => Ruling<T>,
    ...happenings: readonly Happening[]
  ): Ruling<T> {
    const ruling = judge(this.dueState(at));
    if (!ruling.ok || ruling.value.repeated) return ruling;
    this.settleDue(at, true);
    this.current = ruling.value.state;
    this.conclude(...happenings);
    return ruling;
  }

  /** Judges an answer as of `at` (ms); changes nothing. */
  judge(answer: Answer, due: SuspensionState, at: number): Ruling<Judgement> {
    const { asked_by, asked_as, record } = this.input;
    if (answer.resume_signal !== undefined) return judgeResume(due, answer, at, asked_by);
    const askers = [asked_by, asked_as, record.on_behalf_of].filter((name) => name !== undefined);
    return judgeAnswer(due, answer, at, askers);
  }

  /** Judges an answer as of `at` (ms), and takes it over: it settles the question, or counts until others agree. */
  takeAnswer(answer: Answer, at: number): Ruling<Judgement> {
    const ruling = this.judge(answer, this.dueState(at), at);
    if (!ruling.ok || ruling.value.repeated) return ruling;
    const happenings = answered(answer, this.current, ruling.value);
    const { state, verdict } = ruling.value;
    if (verdict === 'settled') return this.settle(at, () => ruling, ...happenings);
    // Attempts that are due stay due: an answer that came in earlier may still have to be looked at.
    const { record, votes = [] } = state;
    this.change({ record, votes }, ...happenings);
    return ruling;
  }

  /** Takes over who is eligible from now on. */
  changeEligibility(eligibility: EligibilityChange, { by, reason }: EligibilityInput): void {
    const eligible = namedIn(eligibility);
    const why = reason === undefined ? {} : { reason };
    const detail = { changed_by: by.principal, eligible, ...why };
    this.change({ eligibility }, ['eligibility_changed', detail]);
  }

  /** Notes an answer that did not count; at most 50 are kept. */
  reject(refusal: Refusal, answer: Partial<Answer> = {}): void {
    this.measure();
    const kept = this.timeline.count('answer_rejected');
    if (kept >= WORKFLOW_LIMITS.keptRefusedAnswers) {
      log.warn('answer_rejected', { kept: false });
      return;
    }
    this.timeline.add('answer_rejected', rejectionOf(refusal, answer));
  }

  /** Forgets the personal data of a settled question, which was erased at an instant; an open one needs it. */
  forget(at: string): void {
    if (!this.settled) return;
    this.current = erasedState(this.current, at);
    this.input = erasedAsked(this.input, at);
    this.timeline.forget();
    this.journal.rewrite((row) => erasedSuspensionRow(row, at));
    this.describe();
  }

  /** Resolves when the subject has got every report so far, but for what the result tells it. */
  async reported(): Promise<void> {
    await this.ending.reported(() => this.moving);
  }

  /** The subject asks for its reports by Signal, once more that of the outcome; a repeated report changes nothing. */
  attach(): void {
    this.measure();
    this.ending.attach();
  }

  /** Has the rows written that wait for others. */
  write(): void {
    this.measure();
    this.journal.urge();
  }

  /** Ends deliveries, and waits until the subject and the store have everything, or others see to it. */
  async finish(): Promise<void> {
    const isDelivering = !this.deliveries.idle;
    await this.deliveries.supersede();
    await this.reports.drained();
    upsertSearchAttributes(progressAttributes(this.view));
    this.ending.decide(isDelivering);
    await this.outbox.drained();
  }

  private get carried(): CarriedSuspension {
    return {
      state: this.current,
      ...this.timeline.carried,
      revision: this.revision,
      ...this.reports.handedOn,
      unwritten: this.unwritten,
      undelivered: this.deliveries.unfinished,
    };
  }

  /** Reports are not carried: they are on their way before the run ends. */
  override async handOver(): Promise<void> {
    this.deliveries.handOver();
    await this.journal.stop();
    await this.reports.drained();
  }

  private attempted(attempt: ScheduledAttempt, skipped: boolean): void {
    this.timeline.add(skipped ? 'attempt_skipped' : 'attempt', attemptDetail(attempt));
    const { intent_id, record: asked, schedule } = this.input;
    const { approval } = this.current.record;
    const record = { ...asked, ...(approval && { approval }) };
    const max_attempts = schedule.attempts.length;
    if (attempt.attempt > 1)
      this.reports.report(record, { kind: 'attempt', attempt, max_attempts, skipped });
    if (skipped) return;
    for (const request of notificationsOf(intent_id, record, attempt, max_attempts)) {
      this.deliveries.start(request);
    }
  }

  private conclude(...happenings: readonly Happening[]): void {
    const record = this.settled;
    if (!record) return;
    for (const happening of happenings) this.timeline.add(...happening);
    this.ending.settled();
    this.journal.append(settledRow({ ...this.current, record }, ++this.revision));
    this.describe();
  }

  /** Reports the outcome to the subject, if there is one. */
  private report(): void {
    const record = this.settled;
    if (!record) return;
    this.reports.report(record, { kind: 'settled', record, attempt: this.view.attempt });
  }

  /** Takes over a change that leaves the question open. */
  private change(
    fields: Partial<Pick<SuspensionState, 'record' | 'votes' | 'eligibility'>>,
    ...happenings: readonly Happening[]
  ): void {
    this.measure();
    this.current = { ...this.current, ...fields };
    for (const happening of happenings) this.timeline.add(...happening);
    this.journal.append(progressRow(this.current, this.view, ++this.revision));
    this.describe();
  }

  private publish(): void {
    if (this.view.attempt === 1) return;
    this.journal.append(progressRow(this.current, this.view, ++this.revision));
    this.describe();
    upsertSearchAttributes(progressAttributes(this.view));
  }

  private describe(): void {
    setCurrentDetails(describeSuspension(this.view, this.input.subject_workflow_id));
  }
}
