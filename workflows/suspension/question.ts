import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { typeOfWorkflow } from '../../contracts/constants/names.js';
import type { EligibilityChange, JournalRow, RowOf } from '../../contracts/journal.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';
import type { LiveView } from '../../contracts/suspension-view.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import type { Answer, Judgement } from '../../domain/suspension/answer.js';
import { namedIn, withEligibility } from '../../domain/suspension/eligibility.js';
import { erasedAsked, erasedState } from '../../domain/suspension/erasure.js';
import { withNotesInPlace } from '../../domain/suspension/notes.js';
import { askersOf, judgeReply } from '../../domain/suspension/resume.js';
import { nextInstant } from '../../domain/suspension/schedule.js';
import { isSettled, settleDue, type SuspensionState } from '../../domain/suspension/state.js';
import { verbEvent } from '../../domain/suspension/verb.js';
import type { Attended, Deed, Doing } from '../../domain/suspension/verb.js';
import { viewOf } from '../../domain/suspension/view.js';
import { now } from '../engine/clock.js';
import { Entity, type NextInstant } from '../engine/run.js';
import type { Outbox } from '../engine/sender.js';
import type { CarriedSuspension, SuspensionRun } from './carried.js';
import type { Ending } from './ending.js';
import type { EligibilityInput, SuspensionResult } from './messages.js';
import { Publishing } from './publishing.js';
import { answered } from './rows.js';
import type { Happening, Timeline } from './rows.js';

/** Types of workflows that ask for what they know themselves. */
const ASK_FOR_THEMSELVES: readonly unknown[] = ['plan', 'approval'];

/** The suspension's state in this run, and who may change it; what follows from each change is published. */
export class Question extends Entity<SuspensionRun> {
  private input: SuspensionRun;
  private current: SuspensionState;
  private readonly publishing: Publishing;
  protected override readonly carriedBytes = WORKFLOW_LIMITS.suspensionCarriedBytes;

  constructor(input: SuspensionRun) {
    super(input);
    const { carried, intent_id, record } = input;
    this.input = input;
    this.current = carried?.state ?? { intent_id, record, attempt: 0 };
    this.publishing = new Publishing(input, this);
    this.publishing.begin();
  }

  get outbox(): Outbox {
    return this.publishing.outbox;
  }

  get timeline(): Timeline {
    return this.publishing.timeline;
  }

  get ending(): Ending {
    return this.publishing.ending;
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
    return this.publishing.unwritten;
  }

  /** The principal that asked. */
  get askedBy(): string {
    return this.input.asked_by;
  }

  get view(): LiveView {
    return viewOf(this.current, this.input, this.timeline.entries);
  }

  /** The row of an open question that has changed, in full; null without a change. */
  get progress(): RowOf<'suspension_progress'> | null {
    return this.settled ? null : this.publishing.progress(this.current);
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
    for (const { attempt, skipped } of due.attempts) {
      this.publishing.attempted(attempt, skipped, due.state);
    }
    const { fallback_policy } = due.state.record;
    if (due.expired) this.conclude(['expired', { fallback_policy }]);
    else if (due.attempts.length > 0) this.publishing.advanced(this.current);
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
    return judgeReply(due, withNotesInPlace(answer), at, this.input);
  }

  /** Judges an answer as of `at` (ms), and takes it over: it settles the question, or counts until others agree. */
  takeAnswer(answer: Answer, at: number): Ruling<Judgement> {
    const ruling = this.judge(answer, this.dueState(at), at);
    if (!ruling.ok || ruling.value.repeated) return ruling;
    const happenings = answered(answer, this.current, ruling.value, at);
    const { state, verdict } = ruling.value;
    if (verdict === 'settled') return this.settle(at, () => ruling, ...happenings);
    // Attempts that are due stay due: an answer that came in earlier may still have to be looked at.
    this.change(state, ...happenings);
    const { record, votes = [] } = state;
    this.publishing.counted(record, votes);
    return ruling;
  }

  /** Takes over who is eligible from now on. */
  changeEligibility(
    eligibility: EligibilityChange,
    { by, reason, warnings }: EligibilityInput,
  ): void {
    const eligible = namedIn(eligibility);
    const why = reason === undefined ? {} : { reason };
    const told = warnings === undefined ? {} : { warnings };
    const detail = { changed_by: by.principal, eligible, ...why, ...told };
    this.change(withEligibility(this.current, eligibility), ['eligibility_changed', detail]);
  }

  /** The question as what is done to it now is judged by it. */
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

  /** Takes over what somebody has done to it; nothing if it was done before. */
  take({ state, entry }: Deed, doing: Doing): void {
    if (entry === undefined && state.claim === this.current.claim) return;
    this.change(state, ...(entry ? [entry] : []));
    if (entry === undefined) return;
    this.publishing.told(this.current, verbEvent(state.record.id, entry, doing));
    if (entry[0] === 'delegated') this.publishing.delegated(this.current);
  }

  /** Notes an answer that did not count; at most 50 are kept. */
  reject(refusal: Refusal, answer: Partial<Answer> = {}): void {
    this.measure();
    this.publishing.rejected(refusal, answer);
  }

  /** Forgets the personal data of a settled question, which was erased at an instant; an open one needs it. */
  forget(at: string): void {
    if (!this.settled) return;
    this.current = erasedState(this.current, at);
    this.input = erasedAsked(this.input, at);
    this.publishing.forget(at);
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
    this.publishing.write();
  }

  /** Ends deliveries, and waits until the subject and the store have everything, or others see to it. */
  async finish(): Promise<void> {
    await this.publishing.finish();
  }

  override async handOver(): Promise<void> {
    await this.publishing.handOver();
  }

  private get carried(): CarriedSuspension {
    return { state: this.current, ...this.publishing.carried };
  }

  private conclude(...happenings: readonly Happening[]): void {
    const record = this.settled;
    if (record) this.publishing.settled({ ...this.current, record }, ...happenings);
  }

  /** Takes over a change that leaves the question open, but for attempts that are due: they stay due. */
  private change(state: SuspensionState, ...happenings: readonly Happening[]): void {
    this.measure();
    this.current = { ...state, attempt: this.current.attempt };
    this.publishing.changed(this.current, ...happenings);
  }
}
