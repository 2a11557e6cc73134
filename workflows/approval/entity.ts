import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { SERVER } from '../../contracts/constants/callers.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { ApprovalView } from '../../contracts/approval.js';
import type { ApprovalPlan } from '../../contracts/approval-judging.js';
import type { JournalRow, RowOf } from '../../contracts/journal.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import type { Desk } from '../../domain/approval/desk.js';
import { describeApproval } from '../../domain/approval/details.js';
import { erasedApprovalRow, erasedProposal, erasedState } from '../../domain/approval/erasure.js';
import { endEvents, requestedEvent } from '../../domain/approval/events.js';
import type { KeyedEvent } from '../../domain/approval/events.js';
import type { ApprovalStep } from '../../domain/approval/route.js';
import {
  isAbout,
  mutated,
  newApproval,
  resolved,
  resolvedByRule,
  stepOf,
  tierAsked,
  viewOfApproval,
} from '../../domain/approval/state.js';
import type { ApprovalEnd, ApprovalState } from '../../domain/approval/state.js';
import type { VotesCast } from '../../domain/approval/votes.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now, reach } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { Entity } from '../engine/run.js';
import type { NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { QuestionWatch } from '../suspension/watch.js';
import type { ApprovalRun, CarriedApproval, WantedEnd } from './carried.js';
import { AgentDesk } from './desk.js';
import type { ApprovalResult } from './messages.js';
import { ApprovalNotes } from './notes.js';
import { settleTier } from './settling.js';
import { StageClock } from './stage-clock.js';
import { VoteLog } from './votes.js';

/** The approval's state in this run; every change is published. */
export class ApprovalEntity extends Entity<ApprovalRun> {
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly watch: QuestionWatch;
  readonly input: ApprovalRun;
  readonly plan: ApprovalPlan;
  readonly desk: AgentDesk;
  private readonly notes: ApprovalNotes;
  private readonly votes: VoteLog;
  private readonly stageClock: StageClock;
  private current: ApprovalState;
  private revision: number;
  private wanted: WantedEnd | undefined;
  /** The question that was told to withdraw. */
  private told: string | undefined;

  constructor(input: ApprovalRun) {
    super(input);
    const { carried, proposal, plan = { stages: [] } } = input;
    this.input = input;
    this.plan = plan;
    this.current = carried?.state ?? newApproval(proposal);
    this.revision = carried?.revision ?? 0;
    this.wanted = carried?.withdrawal;
    this.stageClock = new StageClock(input, carried);
    this.votes = new VoteLog(carried?.logged);
    this.desk = new AgentDesk(input, carried);
    this.journal = new Journal(carried?.unwritten);
    this.notes = new ApprovalNotes(carried?.unnoted);
    this.watch = new QuestionWatch(() => (this.openQuestion ? [this.openQuestion] : []));
    this.outbox = new Outbox(this.journal, this.notes, this.stageClock.alerts, this.watch).start();
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

  /** Whether the log has everything that has happened so far. */
  get isNoted(): boolean {
    return this.notes.carried.length === 0;
  }

  get openQuestion(): string | undefined {
    return this.current.open?.suspension_id;
  }

  get withdrawal(): WantedEnd | undefined {
    return this.wanted;
  }

  /** The open question that nobody has told yet that the approval is withdrawn. */
  get untold(): string | undefined {
    const { openQuestion } = this;
    return this.wanted && openQuestion !== this.told ? openQuestion : undefined;
  }

  /** A tier is to be asked, the end to be checked, or the open question to be withdrawn. */
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
      ...(this.wanted && { withdrawal: this.wanted }),
      ...this.stageClock.carried,
      ...this.desk.carried,
      ...this.votes.carried,
      unnoted: this.notes.carried,
      unwritten: this.journal.unwritten,
    };
  }

  /** The tier to ask next, or the end. */
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

  /** The question to a tier is asked at an instant (ISO-8601). */
  asked(suspension_id: string, step: AskStep, at: string): void {
    this.stageClock.asked(step, at);
    this.take(tierAsked(this.current, { suspension_id, stage: step.stage, tier: step.tier }));
  }

  /** Takes in how a question has ended; only the open one counts. */
  settled(record: SettledRecord): void {
    const { open } = this.current;
    if (open?.suspension_id !== record.id) return;
    reach(record.settled_at);
    this.settleDue();
    if (!isAbout(this.current, record)) {
      this.mutated();
      return;
    }
    const next = settleTier(this.current, this.plan, record);
    for (const event of this.votes.settled(next, open, record)) this.note(event);
    this.take(next);
  }

  /** Takes in whose votes count on the open question, which still waits for others. */
  voted(suspensionId: string, cast: VotesCast): void {
    const { open } = this.current;
    if (open?.suspension_id !== suspensionId) return;
    this.measure();
    for (const event of this.votes.cast(this.current, open, cast)) this.note(event);
    const edited = this.votes.edited(this.current, cast);
    if (edited) this.take(edited);
  }

  /** Asks for the end of the approval; what people decide first counts. */
  withdraw(wanted: WantedEnd): void {
    this.measure();
    if (!this.resolved) this.wanted ??= wanted;
  }

  /** The open question is told of the withdrawal. */
  tell(suspensionId: string): void {
    this.told = suspensionId;
  }

  /** The approval is over. */
  resolve(end: ApprovalEnd): void {
    this.finishWith(resolved(this.current, end, this.at));
  }

  /** What was to run is no longer what was asked about. */
  mutated(): void {
    this.finishWith(mutated(this.current, this.at));
  }

  /** The agent has picked something up. */
  pickUp(desk: Desk): void {
    this.measure();
    this.desk.take(desk);
    this.publish();
  }

  /** Forgets the personal data of a decided approval, which was erased at an instant; an open one needs it. */
  forget(at: string): void {
    if (!this.resolved || this.current.erased_at !== undefined) return;
    this.desk.forget();
    this.journal.rewrite((row) => erasedApprovalRow(row, at));
    this.notes.forget();
    this.take(erasedState(this.current, at));
  }

  /** Writes what its questions left to write. */
  write(rows: readonly JournalRow[]): void {
    this.journal.append(...rows);
  }

  /** This instant, ISO-8601. */
  get at(): string {
    return toInstant(now());
  }

  private begin(): void {
    const { verdict, reason, asked_at, asked_by } = this.input;
    reach(asked_at);
    if (verdict === 'escalate' && this.plan.stages.length > 0) {
      this.note(requestedEvent(this.current, this.input), asked_by);
      this.publish();
    } else {
      // Where nobody can be asked, nobody approves.
      const decided = verdict === 'allow' ? 'allow' : 'deny';
      this.finishWith(resolvedByRule(this.current, decided, this.at, reason));
    }
  }

  private finishWith(state: ApprovalState): void {
    this.stageClock.stop();
    this.take(state);
    for (const event of endEvents(state, this.input)) this.note(event);
    upsertSearchAttributes(statusAttributes(this.view.status));
  }

  private take(state: ApprovalState): void {
    this.measure();
    this.current = state;
    this.publish();
  }

  private publish(): void {
    this.revision += 1;
    this.journal.append(this.row);
    this.describe();
  }

  /** The approval as it is stored. */
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

type AskStep = Extract<ApprovalStep, { kind: 'ask' }>;
