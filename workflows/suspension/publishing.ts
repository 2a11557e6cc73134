import { log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow, RowOf } from '../../contracts/journal.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import type { Refusal } from '../../contracts/problem.js';
import type { ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { LiveView } from '../../contracts/suspension-view.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import type { Answer } from '../../domain/suspension/answer.js';
import { claimAt } from '../../domain/suspension/claim.js';
import { versionOf } from '../../domain/suspension/decision.js';
import { describeSuspension } from '../../domain/suspension/details.js';
import { erasedSuspensionRow } from '../../domain/suspension/erasure.js';
import { noticesOf, notificationsOf } from '../../domain/suspension/notifications.js';
import { amendedPart } from '../../domain/suspension/state.js';
import type { KeyedVote, SuspensionState } from '../../domain/suspension/state.js';
import type { VerbEvent } from '../../domain/suspension/verb.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { progressAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import { Deliveries } from './deliveries.js';
import { Ending } from './ending.js';
import { Opening } from './opening.js';
import { Reports } from './reports.js';
import {
  Timeline,
  attemptDetail,
  openedDetail,
  progressRow,
  rejectionOf,
  settledRow,
} from './rows.js';
import type { Happening } from './rows.js';

/** A question as far as others are told of it. */
interface Published {
  readonly settled: SettledRecord | undefined;
  readonly view: LiveView;
}

/**
 * What goes out from a question: its timeline and its rows, reports to the subject, notifications to people, and what the
 * Temporal UI shows. The question decides, and says here what has happened.
 */
export class Publishing {
  readonly outbox: Outbox;
  readonly timeline: Timeline;
  readonly ending: Ending;
  private readonly input: SuspensionRun;
  private readonly question: Published;
  private readonly journal: Journal;
  private readonly reports: Reports;
  private readonly opening: Opening;
  private readonly deliveries: Deliveries;
  private revision: number;
  /** The version of the question that the rows have so far. */
  private version: number;

  constructor(input: SuspensionRun, question: Published) {
    const { carried, record } = input;
    this.input = input;
    this.question = question;
    this.timeline = new Timeline(record.id, input, carried);
    this.journal = new Journal(carried?.unwritten, this.timeline);
    this.reports = new Reports(input, this.journal, carried);
    this.ending = new Ending(input, this.journal, this.reports, () => {
      this.report();
    });
    this.outbox = new Outbox(this.reports, this.journal).start();
    this.opening = new Opening(input, this.journal);
    this.deliveries = new Deliveries(this.opening, (...delivery) => {
      this.timeline.add(...delivery);
      this.describe();
    });
    this.revision = carried?.revision ?? 0;
    this.version = versionOf(carried?.state.record ?? record);
  }

  /** The first run opens the question; a later one goes on with what the run before had not delivered. */
  begin(): void {
    const { carried, record } = this.input;
    if (!carried) {
      this.opening.begin();
      this.timeline.add('opened', openedDetail(this.input), record.suspended_at);
    }
    if (carried) this.deliveries.resume(carried.undelivered, this.messagesOf(carried.state));
    this.describe();
  }

  /** Rows that the store has not confirmed. */
  get unwritten(): readonly JournalRow[] {
    return this.journal.unwritten;
  }

  /** For the next run. */
  get carried(): Omit<CarriedSuspension, 'state'> {
    return {
      ...this.timeline.carried,
      revision: this.revision,
      ...this.reports.handedOn,
      unwritten: this.unwritten,
      undelivered: this.deliveries.unfinished,
    };
  }

  /** An attempt is due: people are notified, unless it has passed already. */
  attempted(attempt: ScheduledAttempt, skipped: boolean, current: SuspensionState): void {
    this.timeline.add(skipped ? 'attempt_skipped' : 'attempt', attemptDetail(attempt));
    const { intent_id, record: asked, schedule } = this.input;
    const { approval } = current.record;
    const amended = amendedPart(current.record);
    const record = { ...asked, ...(approval && { approval }), ...amended };
    const max_attempts = schedule.attempts.length;
    if (attempt.attempt > 1)
      this.reports.report(record, { kind: 'attempt', attempt, max_attempts, skipped });
    if (skipped) return;
    const heldBy = claimAt(current, now())?.holder;
    for (const request of notificationsOf(intent_id, record, attempt, max_attempts, heldBy)) {
      this.deliveries.start(request);
    }
  }

  /** The schedule has come further; a list and a search show it. */
  advanced(state: SuspensionState): void {
    if (this.question.view.attempt === 1) return;
    this.changed(state);
    upsertSearchAttributes(progressAttributes(this.question.view));
  }

  /** Something has changed that leaves the question open. */
  changed(state: SuspensionState, ...happenings: readonly Happening[]): void {
    for (const happening of happenings) this.timeline.add(...happening);
    const { view } = this.question;
    const hasAmended = this.isAmendedSince(versionOf(state.record));
    this.journal.append(progressRow(state, view, ++this.revision, hasAmended));
    this.describe();
  }

  /** How far the question has come, as the store has it once nothing is under way; null if that is as it was asked. */
  progress(state: SuspensionState): RowOf<'suspension_progress'> | null {
    if (this.revision === 0) return null;
    return progressRow(state, this.question.view, this.revision);
  }

  /** The question has just been settled. */
  settled(
    state: SuspensionState & { readonly record: SettledRecord },
    ...happenings: readonly Happening[]
  ): void {
    for (const happening of happenings) this.timeline.add(...happening);
    this.ending.settled();
    this.journal.append(settledRow(state, ++this.revision));
    this.describe();
  }

  /** A vote counts, and others have to agree. */
  counted(record: SuspensionRecord, votes: readonly KeyedVote[]): void {
    this.reports.voted(record, votes);
  }

  /** Somebody did something to the open question: the log of its intent says so. */
  told(state: SuspensionState, event: VerbEvent): void {
    this.reports.event(state, event);
  }

  /** The question was passed on to somebody, who hears of it once, over the channel of the current attempt. */
  delegated(state: SuspensionState): void {
    const notice = this.noticesOf(state).at(-1);
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
    this.journal.rewrite((row) => erasedSuspensionRow(row, at));
    this.describe();
  }

  /** Has the rows written that wait for others. */
  write(): void {
    this.journal.urge();
  }

  /** Ends deliveries, and waits until the subject and the store have everything, or others see to it. */
  async finish(): Promise<void> {
    const isDelivering = !this.deliveries.idle;
    await this.deliveries.supersede();
    await this.reports.drained();
    upsertSearchAttributes(progressAttributes(this.question.view));
    this.ending.decide(isDelivering);
    await this.outbox.drained();
  }

  /** Reports are not carried: they are on their way before the run ends. */
  async handOver(): Promise<void> {
    this.deliveries.handOver();
    await this.journal.stop();
    await this.reports.drained();
  }

  /** All that the question may tell people, in whatever attempt. */
  private messagesOf(state: SuspensionState): readonly NotificationRequest[] {
    const { intent_id } = this.input;
    const { attempts } = this.input.schedule;
    const heldBy = claimAt(state, now())?.holder;
    const all = attempts.flatMap((attempt) =>
      notificationsOf(intent_id, state.record, attempt, attempts.length, heldBy),
    );
    return [...all, ...this.noticesOf(state)];
  }

  private noticesOf({ record, attempt }: SuspensionState): readonly NotificationRequest[] {
    const { intent_id } = this.input;
    const { attempts } = this.input.schedule;
    const current = attempts[Math.max(1, attempt) - 1];
    if (current === undefined) return [];
    return noticesOf(intent_id, record, current, attempts.length, this.timeline.entries);
  }

  /** Reports the outcome to the subject, if there is one. */
  private report(): void {
    const { settled: record, view } = this.question;
    if (record) this.reports.report(record, { kind: 'settled', record, attempt: view.attempt });
  }

  /** Whether the store may not have what an amendment has replaced: of rows that wait, only the last one counts. */
  private isAmendedSince(version: number): boolean {
    const isNew = version !== this.version;
    this.version = version;
    return isNew || this.unwritten.some((row) => row.kind === 'suspension_progress' && row.amended);
  }

  private describe(): void {
    setCurrentDetails(describeSuspension(this.question.view, this.input.subject_workflow_id));
  }
}
