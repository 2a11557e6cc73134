import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { defined } from '../../contracts/constants/defined.js';
import { typeOfWorkflow } from '../../contracts/constants/names.js';
import type { EligibilityChange, JournalRow } from '../../contracts/log/journal.js';
import type { Refusal, Ruling } from '../../contracts/kernel/problem.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import type { Answer, Judgement } from '../../domain/suspension/answering/answer.js';
import { isForEveryone } from '../../domain/suspension/answering/decision.js';
import { currentRule } from '../../domain/suspension/people/delegates.js';
import { namedIn, namesMore, withEligibility } from '../../domain/suspension/people/eligibility.js';
import { erasedAsked, erasedState } from '../../domain/suspension/record/erasure.js';
import { askersOf, judgeReply } from '../../domain/suspension/answering/resume.js';
import { nextInstant } from '../../domain/suspension/asking/schedule.js';
import {
  isSettled,
  settleDue,
  settlementOf,
  type SuspensionState,
} from '../../domain/suspension/record/state.js';
import {
  verbEvent,
  type Attended,
  type Deed,
  type Doing,
} from '../../domain/suspension/people/verb.js';
import { viewOf } from '../../domain/suspension/record/view.js';
import { now, reachIfNear } from '../engine/clock.js';
import { Entity, type NextInstant } from '../engine/run.js';
import type { Outbox } from '../engine/sender.js';
import type { SuspensionRun } from './carried.js';
import { takesResult, type QuestionDuty } from '../engine/row-duty.js';
import type { EligibilityInput, SuspensionInput, SuspensionResult } from './messages.js';
import { Publishing } from './publishing.js';
import { answered, type Happening, type Timeline } from './rows.js';

/** Types of workflows whose questions are about facts that they know themselves. */
const ASK_FOR_THEMSELVES: readonly unknown[] = ['plan', 'approval'];

/** The suspension's state in this run. All changes are made here; `publishing` carries out their effects. */
export class Question extends Entity<SuspensionRun> {
  readonly outbox: Outbox;
  readonly timeline: Timeline;
  readonly duty: QuestionDuty;
  readonly publishing: Publishing;
  private input: SuspensionRun;
  private current: SuspensionState;
  protected override readonly carriedBytes = WORKFLOW_LIMITS.suspensionCarriedBytes;

  constructor(input: SuspensionRun) {
    super(input);
    const { carried, intent_id, record } = input;
    // A host's clock that is ahead must not delay notifications, so the instant of asking counts as reached.
    if (carried === undefined) reachIfNear(record.suspended_at);
    this.input = input;
    this.current = carried?.state ?? { intent_id, record, attempt: 0 };
    this.publishing = new Publishing(input, this);
    this.outbox = this.publishing.outbox;
    this.timeline = this.publishing.timeline;
    this.duty = this.publishing.duty;
    this.publishing.begin();
  }

  get state(): SuspensionState {
    return this.current;
  }

  get settled(): SettledRecord | undefined {
    return isSettled(this.current.record) ? this.current.record : undefined;
  }

  /** Everything that a workflow waiting for the result needs. */
  get result(): SuspensionResult {
    const record = this.current.record as SettledRecord;
    const end = takesResult(this.input) ? settlementOf(record) : record;
    return { ...end, attempt: this.view.attempt, ...this.duty.result };
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
    return { ...this.input, carried: { state: this.current, ...this.publishing.carried } };
  }

  /** The workflow that gets the outcome from the result, if any, for receipts. */
  get awaitedBy(): { readonly awaited_by?: string } {
    const { subject_workflow_id } = this.input;
    return this.duty.isAwaited && subject_workflow_id !== null
      ? { awaited_by: subject_workflow_id }
      : {};
  }

  /** The last rows, if whoever settled the question by an Update is to write them; see `QuestionDuty`. */
  leftToSettler(): Promise<readonly JournalRow[] | undefined> {
    return this.duty.leftToSettler(() => this.publishing.isDelivering, this);
  }

  /** The question as it was asked, and its asker. */
  get asked(): SuspensionInput {
    return this.input;
  }

  get view(): LiveView {
    return viewOf(this.current, this.input, this.timeline.entries);
  }

  /** The state after settling what is due at `at` (ms); changes nothing. */
  dueState(at: number): SuspensionState {
    return settleDue(this.current, this.input.schedule, at).state;
  }

  /** Settles what is due at `at` (ms), with the resulting events, deliveries and expiry. */
  settleDue(at = now(), answering = false): void {
    this.measure();
    const due = settleDue(this.current, this.input.schedule, at, answering);
    this.current = due.state;
    this.publishing.attempted(due.attempts);
    const { settled } = this;
    const { fallback_policy } = due.state.record;
    if (due.expired && settled) this.publishing.settled(settled, ['expired', { fallback_policy }]);
  }

  /** Judges an answer as of `at` (ms), and applies it: it settles the question, or is counted until others agree. */
  takeAnswer(answer: Answer, at: number): Ruling<Judgement> {
    const ruling = judgeReply(this.dueState(at), answer, at, this.input);
    if (!ruling.ok || ruling.value.repeated) return ruling;
    const happenings = answered(answer, this.current, ruling.value, at);
    const { state, verdict } = ruling.value;
    if (verdict === 'settled') this.settle(state, at, ...happenings);
    else {
      // Due attempts stay due, because an answer that arrived earlier may still have to be judged.
      this.change(state, ...happenings);
      this.publishing.reports.voted(state.record, state.votes ?? []);
    }
    return ruling;
  }

  /**
   * Applies an end of the question that was judged as of `at` (ms), with what was due by then. Never call it with a
   * refusal.
   */
  settle(state: SuspensionState, at: number, ...happenings: readonly Happening[]): void {
    this.settleDue(at, true);
    this.current = state;
    if (this.settled) this.publishing.settled(this.settled, ...happenings);
  }

  changeEligibility(
    eligibility: EligibilityChange,
    { by, reason, warnings }: EligibilityInput,
  ): void {
    const { eligible: former } = currentRule(this.current);
    const detail = {
      changed_by: by.principal,
      eligible: namedIn(eligibility.eligible),
      ...(!isForEveryone(former) && { before: namedIn(former) }),
      ...defined({ reason, warnings }),
    };
    this.change(withEligibility(this.current, eligibility), ['eligibility_changed', detail]);
    if (namesMore(eligibility.eligible, former)) this.publishing.madeEligible();
  }

  /** The parts of the question by which actions on it are judged now. */
  get attended(): Attended {
    const state = this.dueState(now());
    const { input, timeline } = this;
    return {
      state,
      timeline: timeline.entries,
      isAmendable: !ASK_FOR_THEMSELVES.includes(typeOfWorkflow(input.subject_workflow_id ?? '')),
      asker: input.asked_by,
      askers: askersOf(input),
    };
  }

  /** Applies an action on the question; a repeated one has no entry. */
  take({ state, entry }: Deed, doing: Doing): void {
    if (entry === undefined && state.claim === this.current.claim) return;
    this.change(state, ...(entry ? [entry] : []));
    if (entry === undefined) return;
    this.publishing.reports.event(this.current, verbEvent(state.record.id, entry, doing));
    if (entry[0] === 'delegated') this.publishing.delegated();
  }

  /** Records a refused answer; at most 50 are kept. */
  reject(refusal: Refusal, answer: Partial<Answer> = {}): void {
    this.measure();
    this.publishing.rejected(refusal, answer);
  }

  /** Deletes the personal data of a settled question, which was erased at an instant; an open one still needs it. */
  forget(at: string): void {
    if (!this.settled) return;
    this.current = erasedState(this.current, at);
    this.input = erasedAsked(this.input, at);
    this.publishing.forget(at);
  }

  attach(subject?: string): void {
    this.measure();
    if (subject !== undefined) this.input = { ...this.input, subject_workflow_id: subject };
    this.publishing.reports.attach(subject);
  }

  write(): void {
    this.measure();
    this.duty.flush();
  }

  override async handOver(): Promise<void> {
    await this.publishing.handOver();
  }

  /** Applies a change that leaves the question open. Due attempts stay due. */
  private change(state: SuspensionState, ...happenings: readonly Happening[]): void {
    this.measure();
    this.current = { ...state, attempt: this.current.attempt };
    this.publishing.changed(...happenings);
  }
}
