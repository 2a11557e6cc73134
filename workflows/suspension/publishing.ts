import type { Approver } from '../../contracts/approval/approval.js';
import { HANDED_OVER_KINDS } from '../../contracts/constants/events.js';
import { typeOfWorkflow } from '../../contracts/constants/names.js';
import type { HandedOverRow, JournalRow, RowOf } from '../../contracts/log/journal.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import { approverOf } from '../../domain/approval/record/state.js';
import { votesCast } from '../../domain/approval/deciding/votes.js';
import { toInstant } from '../../domain/kernel/time.js';
import {
  amendedPart,
  type DueAttempt,
  type KeyedVote,
  type SuspensionState,
} from '../../domain/suspension/record/state.js';
import type { VerbEvent } from '../../domain/suspension/people/verb.js';
import { now } from '../engine/clock.js';
import { QuestionDuty, takesResult } from '../engine/row-duty.js';
import { SignalQueue } from '../engine/queue.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import {
  inputReportSignal,
  suspensionReportSignal,
  type ReportBody,
  type SuspensionInput,
  type SuspensionReport,
} from './messages.js';
import { log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { NotificationRequest } from '../../contracts/channel/notification.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { Answer } from '../../domain/suspension/answering/answer.js';
import { versionOf } from '../../domain/suspension/answering/decision.js';
import { describeSuspension } from '../../domain/suspension/record/details.js';
import { erasedSuspensionRow } from '../../domain/suspension/record/erasure.js';
import {
  eligibilityNoticesOf,
  noticesOf,
  notificationsOf,
  standingOf,
  type Standing,
} from '../../domain/suspension/telling/notifications.js';
import { askersOf } from '../../domain/suspension/answering/resume.js';
import { channelAttributes, statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { Deliveries } from './deliveries.js';
import {
  Timeline,
  attemptDetail,
  openedDetail,
  progressRow,
  rejectionOf,
  settledRow,
  type Happening,
} from './rows.js';

/** The event that changes the record in an intent. */
const AMENDED = 'intent.suspension_amended';

interface Published {
  readonly state: SuspensionState;
  /** The record, once the question is settled. */
  readonly settled: SettledRecord | undefined;
  readonly view: LiveView;
}

/**
 * The reports of a suspension to its subject (docs/adr/0014). An intent gets every report, an agent's workflow
 * reminders only on request. The run that asked takes the outcome from the result, if it said so.
 */
class Reports extends SignalQueue<SuspensionReport> {
  private readonly input: SuspensionInput;
  private readonly question: Published;
  private readonly duty: QuestionDuty;
  private handedOver: readonly JournalRow[] = [];
  private last: number;
  private attached: boolean;

  constructor(input: SuspensionRun, question: Published, duty: QuestionDuty) {
    const { intent_id, subject_workflow_id, carried } = input;
    const signal = intent_id === null ? inputReportSignal : suspensionReportSignal;
    super(subject_workflow_id ?? '', signal);
    this.input = input;
    this.question = question;
    this.duty = duty;
    this.last = carried?.report_sequence ?? 0;
    this.attached = carried?.attached ?? false;
  }

  /** The state for the next run; the reports themselves are sent before this one ends. */
  get handedOn(): Pick<CarriedSuspension, 'report_sequence' | 'attached'> {
    return { report_sequence: this.last, ...(this.attached && { attached: true }) };
  }

  get byResult(): boolean {
    return takesResult(this.input) && !this.attached;
  }

  /**
   * From now on this subject gets every report by Signal, including that of the outcome again; a repeated one changes
   * nothing.
   */
  attach(subject = this.workflowId): void {
    this.workflowId = subject;
    this.attached = true;
    this.settled();
  }

  settled(): void {
    const { settled: record, view } = this.question;
    if (record) this.report(record, { kind: 'settled', record, attempt: view.attempt });
  }

  /** Adds a report. An agent's workflow also gets the record, which it may not have kept. */
  report(record: SuspensionRecord, body: ReportBody): void {
    const { intent_id, subject_workflow_id, report_attempts = false } = this.input;
    if (intent_id === null && body.kind === 'attempt' && !report_attempts) return;
    const own = intent_id === null ? { record } : {};
    const report = { suspension_id: record.id, report_sequence: ++this.last, ...own, ...body };
    if (subject_workflow_id !== null) this.add(report);
  }

  /** Reports the valid votes and their version to an approval, which logs each one at once. */
  voted({ id, approval }: SuspensionRecord, votes: readonly KeyedVote[]): void {
    if (!this.isAskedByApproval || approval === undefined) return;
    const asked = this.input.record.approval?.proposal.version;
    const isEdited = approval.proposal.version !== asked;
    const cast = votesCast(approval, votes.map(approverIn), isEdited);
    this.add({ suspension_id: id, report_sequence: ++this.last, kind: 'voted', ...cast });
  }

  event({ record, findings }: SuspensionState, event: VerbEvent): void {
    if (this.input.intent_id === null) return;
    const amended = event.event_type === AMENDED ? amendedPart(record) : undefined;
    const found = amended && findings && { findings };
    const at = toInstant(now());
    this.report(record, { kind: 'event', at, event, ...(amended && { amended }), ...found });
  }

  private get isAskedByApproval(): boolean {
    return typeOfWorkflow(this.input.subject_workflow_id ?? '') === 'approval';
  }

  /** Passes the unwritten rows to an intent, so that the suspension can end (docs/adr/0103). */
  protected override load(report: SuspensionReport): SuspensionReport {
    this.handedOver = [];
    if (this.input.intent_id === null || report.kind !== 'settled') return report;
    this.handedOver = this.duty.release();
    const rows = this.handedOver.filter(isHandedOver);
    return rows.length > 0 ? { ...report, rows } : report;
  }

  protected override undelivered(): void {
    this.duty.append(...this.handedOver);
  }
}

function approverIn({ vote }: KeyedVote): Approver {
  return approverOf(vote);
}

/** The intent itself writes the opening, before these rows. */
function isHandedOver(row: JournalRow): row is HandedOverRow {
  return HANDED_OVER_KINDS.some((kind) => kind === row.kind);
}

/**
 * Publishes a question: its timeline and its rows, reports to the subject, notifications to people, and the details
 * in the Temporal UI. The question decides, and calls this with what has happened.
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

  /** The first run opens the question; a later one continues with the unfinished deliveries of the run before. */
  begin(): void {
    const { carried, record } = this.input;
    if (carried) this.deliveries.resume(carried.undelivered, this.messages);
    else {
      this.duty.opened();
      this.timeline.add('opened', openedDetail(this.input), record.suspended_at);
    }
    this.describe();
  }

  get carried(): Omit<CarriedSuspension, 'state'> {
    return {
      ...this.timeline.carried,
      revision: this.revision,
      ...this.reports.handedOn,
      unwritten: this.duty.unwritten,
      undelivered: this.deliveries.unfinished,
    };
  }

  /** Publishes due attempts: people are notified, unless an attempt was skipped, and lists and searches show it. */
  attempted(due: readonly DueAttempt[]): void {
    const requests = due.flatMap((one) => this.attempt(one));
    const { settled, view } = this.question;
    const [first] = due;
    if (first && !settled && view.attempt > 1) {
      this.advanced(requests.length > 0);
      const attributes = channelAttributes(view, first.attempt.attempt - 1);
      if (attributes.length > 0) upsertSearchAttributes(attributes);
    }
    for (const request of requests) this.deliveries.start(request);
  }

  private attempt({ attempt, skipped }: DueAttempt): readonly NotificationRequest[] {
    const { intent_id, record: asked, schedule, findings } = this.input;
    const isSilent = !skipped && attempt.attempt === 1 && findings?.tells_nobody_at_first === true;
    const detail = { ...attemptDetail(attempt), ...(isSilent && { told: 'nobody' }) };
    this.timeline.add(skipped ? 'attempt_skipped' : 'attempt', detail);
    const { state } = this.question;
    const { approval } = state.record;
    const amended = amendedPart(state.record);
    const record = { ...asked, ...(approval && { approval }), ...amended };
    const max_attempts = schedule.attempts.length;
    if (attempt.attempt > 1)
      this.reports.report(record, { kind: 'attempt', attempt, max_attempts, skipped });
    if (skipped || isSilent) return [];
    return notificationsOf(intent_id, record, attempt, max_attempts, this.standing);
  }

  private advanced(isTold: boolean): void {
    const row = this.nextProgress();
    if (isTold) this.duty.advanced(row);
    else this.duty.append(row);
    this.describe();
  }

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

  /** The complete row of a changed open question; null without a change. */
  get progress(): RowOf<'suspension_progress'> | null {
    const { state, settled, view } = this.question;
    return settled || this.revision === 0 ? null : progressRow(state, view, this.revision);
  }

  settled(record: SettledRecord, ...happenings: readonly Happening[]): void {
    for (const happening of happenings) this.timeline.add(...happening);
    this.duty.settled();
    if (!this.reports.byResult) this.reports.settled();
    this.duty.append(settledRow({ ...this.question.state, record }, ++this.revision));
    this.describe();
  }

  /** Publishes a delegation: the delegate is notified once, over the channel of the current attempt. */
  delegated(): void {
    const notice = this.noticesBy(noticesOf).at(-1);
    if (notice) this.deliveries.start(notice);
  }

  /** Publishes a change of who is eligible: new people are notified once, over the channel of the current attempt. */
  madeEligible(): void {
    const notice = this.noticesBy(eligibilityNoticesOf).at(-1);
    if (notice) this.deliveries.start(notice);
  }

  /** Records a refused answer; at most 50 are kept. */
  rejected(refusal: Refusal, answer: Partial<Answer>): void {
    const kept = this.timeline.count('answer_rejected');
    if (kept >= WORKFLOW_LIMITS.keptRefusedAnswers) {
      log.warn('answer_rejected', { kept: false });
      return;
    }
    this.timeline.add('answer_rejected', rejectionOf(refusal, answer));
  }

  /** Deletes the personal data of the question, which was erased at an instant. */
  forget(at: string): void {
    this.timeline.forget();
    this.duty.rewrite((row) => erasedSuspensionRow(row, at));
    this.describe();
  }

  get isDelivering(): boolean {
    return !this.deliveries.idle;
  }

  /** Ends deliveries, and waits until the subject and the store have everything, or others will write it. */
  async finish(): Promise<void> {
    const { isDelivering } = this;
    await this.deliveries.supersede();
    await this.reports.drained();
    upsertSearchAttributes(statusAttributes(this.question.view.record.resolution ?? 'pending'));
    this.duty.decide(isDelivering);
    await this.outbox.drained();
  }

  /** Reports are not passed to the next run, because they are sent before this one ends. */
  async handOver(): Promise<void> {
    this.deliveries.handOver();
    await this.duty.stop();
    await this.reports.drained();
  }

  private get messages(): readonly NotificationRequest[] {
    const { intent_id } = this.input;
    const { attempts } = this.input.schedule;
    const { state } = this.question;
    const all = attempts.flatMap((attempt) =>
      notificationsOf(intent_id, state.record, attempt, attempts.length, this.standing),
    );
    return [...all, ...this.noticesBy(noticesOf), ...this.noticesBy(eligibilityNoticesOf)];
  }

  /** The notifications of people besides those of the attempts, oldest first. */
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

  /**
   * Whether the store may lack the content that an amendment replaced, because of the waiting rows only the last one
   * is written.
   */
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
