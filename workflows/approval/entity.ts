import {
  condition,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ApprovalView, WithdrawnPart } from '../../contracts/approval/approval.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import { endReason } from '../../domain/intent/entity.js';
import { observingIntents, type Observing } from '../engine/observing.js';
import type { Activities } from '../../activities/types.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import {
  erasedApprovalRow,
  erasedNote,
  erasedProposal,
  erasedState,
} from '../../domain/approval/record/erasure.js';
import { OrderedQueue, SignalQueue } from '../engine/queue.js';
import { Outbox, UNTIL_DONE } from '../engine/sender.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import {
  approversIn,
  isAbout,
  mutated,
  newApproval,
  resolvedByRule,
  stepOf,
  tierAsked,
  tierSettled,
  tierStarted,
  versionEdited,
  viewOfApproval,
  type ApprovalState,
  type OpenTier,
} from '../../domain/approval/record/state.js';
import { logVotes, type LoggedVote, type VotesCast } from '../../domain/approval/deciding/votes.js';
import { SERVER } from '../../contracts/constants/callers.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { ApprovalPlan } from '../../contracts/approval/judging.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import { describeApproval } from '../../domain/approval/record/details.js';
import { endEvents, requestedEvent, type KeyedEvent } from '../../domain/approval/record/events.js';
import type { ApprovalStep } from '../../domain/approval/asking/route.js';
import { intentEnded, withdrawnEvent, type Desk } from '../../domain/approval/running/desk.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now, reach } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { Entity, type NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { QuestionWatch } from '../suspension/watch.js';
import type { ApprovalRun, CarriedApproval, WantedEnd } from './carried.js';
import { AgentDesk } from './desk.js';
import { decidedSignal, type ApprovalResult } from './messages.js';
import { StageClock } from './stage-clock.js';

/** Connects an approval to its intent, which reports its own end. It does nothing for an approval without an intent. */
class IntentTie {
  readonly observing: Observing<Announcement>;
  private readonly intentId: string | null;
  private readonly ended: (reason: WithdrawnPart['reason']) => void;

  /** Each run asks again, because its intent drops it if it was between two runs. */
  constructor(intentId: string | null, ended: (reason: WithdrawnPart['reason']) => void) {
    this.intentId = intentId;
    this.ended = ended;
    this.observing = observingIntents((end) => this.hear(end));
    if (intentId !== null) this.observing.observe(intentId);
  }

  /** Whether its intent has registered it, or is known to have ended. */
  get isKnown(): boolean {
    return this.observing.carried.length === 0;
  }

  hear({ intent_id, status }: Announcement): void {
    const reason = endReason(status);
    if (reason !== undefined && intent_id === this.intentId) this.ended(reason);
  }

  /** Informs its intent that it needs no more news: an intent that closes waits for that. */
  leave(): void {
    if (this.intentId !== null) this.observing.unobserve(this.intentId);
  }

  /** Resolves once its intent has dropped it. */
  async left(): Promise<void> {
    this.leave();
    await condition(() => this.isKnown);
  }
}

const { noteApproval } = proxyActivities<Pick<Activities, 'noteApproval'>>({
  startToCloseTimeout: '15 seconds',
  ...UNTIL_DONE,
  summary: 'append to the log',
});

/** Appends the events of an approval to the log of its intent or of its run, in order. */
class ApprovalNotes extends OrderedQueue<ApprovalNote> {
  protected override async deliver([note]: readonly ApprovalNote[]): Promise<void> {
    if (note) await noteApproval(note);
  }

  /** Reduces pending events to the identity of their approval. */
  forget(): void {
    this.rewrite(erasedNote);
  }
}

/** Tells the workflow `gate` that waits that the approval is decided. */
class Tidings extends SignalQueue<string> {
  private readonly approvalId: string;

  constructor({ tells = '', proposal, carried }: ApprovalRun) {
    super(carried?.tells ?? tells, decidedSignal);
    this.approvalId = proposal.approval_id;
  }

  /** The workflow that is told, for the next run. */
  get tells(): { readonly tells?: string } {
    return this.workflowId === '' ? {} : { tells: this.workflowId };
  }

  to(workflowId: string): void {
    this.workflowId = workflowId;
  }

  tell(): void {
    if (this.workflowId !== '') this.add(this.approvalId);
  }
}

/** Tracks which votes the log contains. A vote is logged when it is cast, and again if an edit cancels it. */
class VoteLog {
  private logged: readonly LoggedVote[];

  constructor(carried: readonly LoggedVote[] = []) {
    this.logged = carried;
  }

  get carried(): { readonly logged: readonly LoggedVote[] } {
    return { logged: this.logged };
  }

  /** Returns the events for votes on a question that still waits for more. */
  cast(state: ApprovalState, open: OpenTier, cast: VotesCast): readonly KeyedEvent[] {
    return this.add(state, open, cast);
  }

  /** Returns the approval with the version that these votes have edited; undefined if it already has that version. */
  edited(state: ApprovalState, { proposal, proposal_hash }: VotesCast): ApprovalState | undefined {
    return proposal && versionEdited(state, { proposal, proposal_hash });
  }

  /** Returns the events for the votes that ended a question and are not in the log yet. */
  settled(state: ApprovalState, open: OpenTier, record: SettledRecord): readonly KeyedEvent[] {
    const { proposal, proposal_hash } = state;
    const votes = approversIn(record);
    const events = this.add(state, open, { version: proposal.version, proposal_hash, votes });
    // Nobody is asked any more, so no later vote can cancel them.
    if (state.end !== undefined) this.logged = [];
    return events;
  }

  private add(state: ApprovalState, open: OpenTier, cast: VotesCast): readonly KeyedEvent[] {
    const { cancelled, cast: votes, logged } = logVotes(state, open, cast, this.logged);
    this.logged = logged;
    return [...cancelled, ...votes];
  }
}

/** The approval's state in this run; every change is published. */
export class ApprovalEntity extends Entity<ApprovalRun> {
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly watch: QuestionWatch;
  readonly input: ApprovalRun;
  readonly plan: ApprovalPlan;
  readonly desk: AgentDesk;
  private readonly notes: ApprovalNotes;
  private readonly tidings: Tidings;
  private readonly votes: VoteLog;
  private readonly stageClock: StageClock;
  readonly tie: IntentTie;
  private current: ApprovalState;
  private revision: number;
  withdrawal: WantedEnd | undefined;
  /** The question to which the withdrawal was sent. */
  private told: string | undefined;

  constructor(input: ApprovalRun) {
    super(input);
    const { carried, proposal, plan = { stages: [] } } = input;
    this.input = input;
    this.plan = plan;
    this.current = carried?.state ?? newApproval(proposal);
    this.revision = carried?.revision ?? 0;
    this.withdrawal = carried?.withdrawal;
    this.stageClock = new StageClock(input, carried);
    this.votes = new VoteLog(carried?.logged);
    this.desk = new AgentDesk(input, carried);
    this.journal = new Journal(carried?.unwritten);
    this.notes = new ApprovalNotes(carried?.unnoted);
    this.tidings = new Tidings(input);
    this.watch = new QuestionWatch(() => (this.openQuestion ? [this.openQuestion] : []));
    this.tie = new IntentTie(input.intent_id, (reason) => this.endWithIntent(reason));
    const { journal, notes, stageClock, watch, tie, tidings } = this;
    const { alerts } = stageClock;
    this.outbox = new Outbox(journal, notes, alerts, watch, tie.observing, tidings).start();
    // The run before may not have told it.
    if (carried && this.resolved) tidings.tell();
    if (carried) this.describe();
    else this.begin();
  }

  get state(): ApprovalState {
    return this.current;
  }

  get view(): ApprovalView {
    const { intent_id, asked_by, asked_at, response_schema, action } = this.input;
    const said = { ...(response_schema && { response_schema }), ...(action && { action }) };
    const opened = { intent_id, asked_by, created_at: asked_at };
    const shown = this.current.erased_at ? opened : { ...opened, ...said };
    return { ...viewOfApproval(this.current, shown), ...this.desk.viewFor(this.current) };
  }

  get result(): ApprovalResult {
    const { proposal, proposed_hash } = this.current;
    const resolution = this.view.resolution as ApprovalResult['resolution'];
    return { resolution, proposal, proposed_hash };
  }

  get resolved(): boolean {
    return this.current.resolution !== undefined;
  }

  get over(): boolean {
    return this.resolved && this.desk.closesAt(this.current) === undefined;
  }

  /** Whether the log contains everything that has happened so far. */
  get isNoted(): boolean {
    return this.notes.carried.length === 0;
  }

  get openQuestion(): string | undefined {
    return this.current.open?.suspension_id;
  }

  /** The open question to which the withdrawal was not sent yet. */
  get untold(): string | undefined {
    const { openQuestion } = this;
    return this.withdrawal && openQuestion !== this.told ? openQuestion : undefined;
  }

  /** Whether there is a tier to ask, an end to check, or an open question to withdraw. */
  override get isBusy(): boolean {
    if (this.resolved) return false;
    return this.openQuestion === undefined || this.untold !== undefined;
  }

  override get nextInstant(): NextInstant {
    if (this.resolved) {
      return { at: this.desk.closesAt(this.current), summary: 'redeemed by then', follows: true };
    }
    return { at: this.stageClock.dueAt, summary: 'should be decided', follows: true };
  }

  get nextRun(): ApprovalRun {
    return { ...this.input, carried: this.carried };
  }

  protected override get measured(): unknown {
    return this.nextRun;
  }
  protected override readonly carriedBytes = WORKFLOW_LIMITS.carriedBytes;

  private get carried(): CarriedApproval {
    return {
      state: this.current,
      revision: this.revision,
      ...(this.withdrawal && { withdrawal: this.withdrawal }),
      ...this.stageClock.carried,
      ...this.desk.carried,
      ...this.tidings.tells,
      ...this.votes.carried,
      unnoted: this.notes.carried,
      unwritten: this.journal.unwritten,
    };
  }

  get step(): ApprovalStep {
    return stepOf(this.current, this.plan);
  }

  /** Raises an alert once a stage takes longer than it should (A54-29). */
  settleDue(): void {
    this.measure();
    this.desk.settleDue(this.current, now());
    const breach = this.stageClock.takeBreach(this.current, now());
    if (breach) this.note(breach);
  }

  /** Records that a tier is asked at an instant (ISO-8601). */
  asked(suspension_id: string, step: Extract<ApprovalStep, { kind: 'ask' }>, at: string): void {
    this.stageClock.asked(step, at);
    this.take(tierAsked(this.current, { suspension_id, stage: step.stage, tier: step.tier }));
  }

  /** Records that people can answer the open question, unless one has done so already. */
  started(): void {
    const next = tierStarted(this.current);
    if (next) this.take(next);
  }

  /** Applies the end of a question; only that of the open one has an effect. */
  settled(record: SettledRecord): void {
    const { open } = this.current;
    if (open?.suspension_id !== record.id) return;
    reach(record.settled_at);
    this.settleDue();
    if (!isAbout(this.current, record)) {
      this.resolve(mutated(this.current, this.at));
      return;
    }
    const next = tierSettled(this.current, this.plan, record);
    for (const event of this.votes.settled(next, open, record)) this.note(event);
    this.take(next);
  }

  /** Applies the valid votes on the open question, which waits for more. */
  voted(suspensionId: string, cast: VotesCast): void {
    const { open } = this.current;
    if (open?.suspension_id !== suspensionId) return;
    this.measure();
    for (const event of this.votes.cast(this.current, open, cast)) this.note(event);
    const edited = this.votes.edited(this.current, cast);
    if (edited) this.take(edited);
  }

  /** Requests the withdrawal. A decision that arrives first takes precedence. */
  withdraw(wanted: WantedEnd): void {
    this.measure();
    if (!this.resolved) this.withdrawal ??= wanted;
  }

  /** Applies the end of its intent. Calls that no process is running are withdrawn. */
  private endWithIntent(reason: WithdrawnPart['reason']): void {
    this.settleDue();
    if (this.over) return;
    const { redemptions } = this.desk.desk;
    const next = intentEnded(this.current, redemptions, { reason, at: this.at });
    if (next) {
      if (this.resolved) this.note(withdrawnEvent(next, redemptions));
      this.withdraw({ principal: SERVER.principal, reason, by_intent: true });
      this.take(next);
    }
    if (this.untold === undefined) this.tie.leave();
  }

  tell(suspensionId: string): void {
    this.told = suspensionId;
  }

  /** Tells this workflow once the approval is decided. */
  tellTo(workflowId: string): void {
    this.measure();
    this.tidings.to(workflowId);
    if (this.resolved) this.tidings.tell();
  }

  resolve(state: ApprovalState): void {
    this.stageClock.stop();
    this.take(state);
    this.tidings.tell();
    for (const event of endEvents(state, this.input)) this.note(event);
    upsertSearchAttributes(statusAttributes(this.view.status));
  }

  pickUp(desk: Desk): void {
    this.desk.take(desk);
    this.take(this.current);
  }

  /** Deletes the personal data of a decided approval, which was erased at an instant; an open one still needs it. */
  forget(at: string): void {
    if (!this.resolved || this.current.erased_at !== undefined) return;
    this.desk.forget();
    this.journal.rewrite((row) => erasedApprovalRow(row, at));
    this.notes.forget();
    this.take(erasedState(this.current, at));
  }

  write(rows: readonly JournalRow[]): void {
    this.journal.append(...rows);
  }

  /** The current time, ISO-8601. */
  get at(): string {
    return toInstant(now());
  }

  private begin(): void {
    const { verdict, reason, asked_at, asked_by } = this.input;
    reach(asked_at);
    if (verdict === 'escalate' && this.plan.stages.length > 0) {
      this.note(requestedEvent(this.current, this.input), asked_by);
      this.take(this.current);
    } else {
      // If nobody can be asked, the approval is denied.
      const decided = verdict === 'allow' ? 'allow' : 'deny';
      this.resolve(resolvedByRule(this.current, decided, this.at, reason));
    }
  }

  private take(state: ApprovalState): void {
    this.measure();
    this.current = state;
    this.revision += 1;
    this.journal.append(this.row);
    this.describe();
  }

  get row(): RowOf<'approval'> {
    const { input, view: approval, revision } = this;
    const proposed = approval.erased_at ? erasedProposal(input.proposal) : input.proposal;
    return { kind: 'approval', approval, proposed, revision };
  }

  note({ key, draft }: KeyedEvent, principal: string = SERVER.principal): void {
    const { intent_id, proposal } = this.input;
    this.notes.add({ key, run_id: proposal.run_id, intent_id, principal, ...draft, at: this.at });
  }

  private describe(): void {
    setCurrentDetails(describeApproval(this.view, this.plan));
  }
}
