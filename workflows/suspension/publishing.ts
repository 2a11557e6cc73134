import { log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { RowOf } from '../../contracts/log/journal.js';
import type { NotificationRequest } from '../../contracts/channel/notification.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import type { Answer } from '../../domain/suspension/answering/answer.js';
import { versionOf } from '../../domain/suspension/answering/decision.js';
import { describeSuspension } from '../../domain/suspension/record/details.js';
import { erasedSuspensionRow } from '../../domain/suspension/record/erasure.js';
import {
  eligibilityNoticesOf,
  noticesOf,
  notificationsOf,
  standingOf,
} from '../../domain/suspension/telling/notifications.js';
import type { Standing } from '../../domain/suspension/telling/notifications.js';
import { askersOf } from '../../domain/suspension/answering/resume.js';
import { amendedPart } from '../../domain/suspension/record/state.js';
import type { DueAttempt } from '../../domain/suspension/record/state.js';
import { now } from '../engine/clock.js';
import { QuestionDuty } from '../engine/row-duty.js';
import { progressAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import { Deliveries } from './deliveries.js';
import { Reports } from './reports.js';
import type { Published } from './reports.js';
import {
  Timeline,
  attemptDetail,
  openedDetail,
  progressRow,
  rejectionOf,
  settledRow,
} from './rows.js';
import type { Happening } from './rows.js';

/**
 * What goes out from a question: its timeline and its rows, reports to the subject, notifications to people, and what the
 * Temporal UI shows. The question decides, and says here what has happened.
 */
export class Publishing {
  readonly outbox: Outbox;
  readonly timeline: Timeline;
  readonly duty: QuestionDuty;
  readonly reports: Reports;
  private readonly input: SuspensionRun;
  private readonly question: Published;
  private readonly deliveries: Deliveries;
  private revision: number;
  /** The version of the question that the rows have so far. */
  private version: number;

  constructor(input: SuspensionRun, question: Published) {
    const { carried, record, writers } = input;
    this.input = input;
    this.question = question;
    this.timeline = new Timeline(record.id, input, carried);
    const asked = { writers, input, subject: () => this.reports };
    this.duty = new QuestionDuty(asked, this.timeline, carried?.unwritten);
    this.reports = new Reports(input, question, this.duty);
    this.outbox = new Outbox(this.reports, this.duty).start();
    this.deliveries = new Deliveries(this.duty, (...delivery) => {
      this.timeline.add(...delivery);
      this.describe();
    });
    this.revision = carried?.revision ?? 0;
    this.version = versionOf(question.state.record);
  }

  /** The first run opens the question; a later one goes on with what the run before had not delivered. */
  begin(): void {
    const { carried, record } = this.input;
    if (carried) this.deliveries.resume(carried.undelivered, this.messages);
    else {
      this.duty.opened();
      this.timeline.add('opened', openedDetail(this.input), record.suspended_at);
    }
    this.describe();
  }

  /** What the next run starts with. */
  get carried(): Omit<CarriedSuspension, 'state'> {
    return {
      ...this.timeline.carried,
      revision: this.revision,
      ...this.reports.handedOn,
      unwritten: this.duty.unwritten,
      undelivered: this.deliveries.unfinished,
    };
  }

  /** Attempts are due: people are notified, unless they have passed already, and a list and a search show it. */
  attempted(due: readonly DueAttempt[]): void {
    const requests = due.flatMap((one) => this.attempt(one));
    const { settled, view } = this.question;
    if (due.length > 0 && !settled && view.attempt > 1) this.advanced(requests.length > 0);
    for (const request of requests) this.deliveries.start(request);
  }

  private attempt({ attempt, skipped }: DueAttempt): readonly NotificationRequest[] {
    this.timeline.add(skipped ? 'attempt_skipped' : 'attempt', attemptDetail(attempt));
    const { intent_id, record: asked, schedule } = this.input;
    const { state } = this.question;
    const { approval } = state.record;
    const amended = amendedPart(state.record);
    const record = { ...asked, ...(approval && { approval }), ...amended };
    const max_attempts = schedule.attempts.length;
    if (attempt.attempt > 1)
      this.reports.report(record, { kind: 'attempt', attempt, max_attempts, skipped });
    if (skipped) return [];
    return notificationsOf(intent_id, record, attempt, max_attempts, this.standing);
  }

  private advanced(isTold: boolean): void {
    const row = this.nextProgress();
    if (isTold) this.duty.advanced(row);
    else this.duty.append(row);
    this.describe();
    upsertSearchAttributes(progressAttributes(this.question.view));
  }

  /** Something has changed that leaves the question open. */
  changed(...happenings: readonly Happening[]): void {
    for (const happening of happenings) this.timeline.add(...happening);
    this.duty.append(this.nextProgress());
    this.describe();
  }

  private nextProgress(): RowOf<'suspension_progress'> {
    const { state, view } = this.question;
    const hasAmended = this.isAmendedSince(versionOf(state.record));
    return progressRow(state, view, ++this.revision, hasAmended);
  }

  /** The row of an open question that has changed, in full; null without a change. */
  get progress(): RowOf<'suspension_progress'> | null {
    const { state, settled, view } = this.question;
    return settled || this.revision === 0 ? null : progressRow(state, view, this.revision);
  }

  /** The question has just been settled, with this record. */
  settled(record: SettledRecord, ...happenings: readonly Happening[]): void {
    for (const happening of happenings) this.timeline.add(...happening);
    this.duty.settled();
    if (!this.reports.byResult) this.reports.settled();
    this.duty.append(settledRow({ ...this.question.state, record }, ++this.revision));
    this.describe();
  }

  /** The question was passed on to somebody, who is notified once, over the channel of the current attempt. */
  delegated(): void {
    const notice = this.noticesBy(noticesOf).at(-1);
    if (notice) this.deliveries.start(notice);
  }

  /** Others are eligible than before: who is new is notified once, over the channel of the current attempt. */
  madeEligible(): void {
    const notice = this.noticesBy(eligibilityNoticesOf).at(-1);
    if (notice) this.deliveries.start(notice);
  }

  /** Notes an answer that did not count; at most 50 are kept. */
  rejected(refusal: Refusal, answer: Partial<Answer>): void {
    const kept = this.timeline.count('answer_rejected');
    if (kept >= WORKFLOW_LIMITS.keptRefusedAnswers) {
      log.warn('answer_rejected', { kept: false });
      return;
    }
    this.timeline.add('answer_rejected', rejectionOf(refusal, answer));
  }

  /** Forgets the personal data of the question, which was erased at an instant. */
  forget(at: string): void {
    this.timeline.forget();
    this.duty.rewrite((row) => erasedSuspensionRow(row, at));
    this.describe();
  }

  /** Ends deliveries, and waits until the subject and the store have everything, or others see to it. */
  async finish(): Promise<void> {
    const isDelivering = !this.deliveries.idle;
    await this.deliveries.supersede();
    await this.reports.drained();
    upsertSearchAttributes(progressAttributes(this.question.view));
    this.duty.decide(isDelivering);
    await this.outbox.drained();
  }

  /** Reports are not carried: they are on their way before the run ends. */
  async handOver(): Promise<void> {
    this.deliveries.handOver();
    await this.duty.stop();
    await this.reports.drained();
  }

  /** All notifications of the question, whatever the attempt. */
  private get messages(): readonly NotificationRequest[] {
    const { intent_id } = this.input;
    const { attempts } = this.input.schedule;
    const { state } = this.question;
    const all = attempts.flatMap((attempt) =>
      notificationsOf(intent_id, state.record, attempt, attempts.length, this.standing),
    );
    return [...all, ...this.noticesBy(noticesOf), ...this.noticesBy(eligibilityNoticesOf)];
  }

  /** What people hear of their own besides the attempts, oldest first. */
  private noticesBy(make: typeof eligibilityNoticesOf): readonly NotificationRequest[] {
    const { intent_id, schedule } = this.input;
    const { attempts } = schedule;
    const { record, attempt } = this.question.state;
    const current = attempts[Math.max(1, attempt) - 1];
    if (current === undefined) return [];
    const { entries } = this.timeline;
    return make(intent_id, record, current, attempts.length, entries, this.standing);
  }

  private get standing(): Standing {
    return standingOf(this.question.state, this.timeline.entries, askersOf(this.input), now());
  }

  /** Whether the store may not have what an amendment has replaced: of rows that wait, only the last one counts. */
  private isAmendedSince(version: number): boolean {
    const isNew = version !== this.version;
    this.version = version;
    return (
      isNew || this.duty.unwritten.some((row) => row.kind === 'suspension_progress' && row.amended)
    );
  }

  private describe(): void {
    setCurrentDetails(describeSuspension(this.question.view, this.input.subject_workflow_id));
  }
}
