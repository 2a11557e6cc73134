import {
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  uuid4,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type {
  DeadlineBatch,
  Membership,
  Portfolio,
  PortfolioView,
} from '../../contracts/portfolio/portfolio.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import { isOverdue, type MemberMove } from '../../domain/portfolio/members.js';
import { now } from '../engine/clock.js';
import { OrderedQueue } from '../engine/queue.js';
import { Outbox, UNTIL_DONE, type Sender } from '../engine/sender.js';
import type { Announced, Announcement } from '../../contracts/graph/announcement.js';
import type { Sent } from '../../contracts/people/caller.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import type { PortfolioChange } from '../../domain/portfolio/portfolio.js';
import {
  createdPortfolio,
  describePortfolio,
  memberMoved,
  portfolioAnnouncement,
  viewOfPortfolio,
} from '../../domain/portfolio/view.js';
import { CLOCK_ACTOR } from '../../domain/suspension/record/events.js';
import { EventLog } from '../engine/event-log.js';
import { Journal } from '../engine/journal.js';
import type { LogEnd, LogPosition } from '../engine/messages.js';
import { announcer, type CarriedObservers, type Observers } from '../engine/observers.js';
import { observingIntents, type CarriedWishes, type Observing } from '../engine/observing.js';
import { Entity, type CarriedBase, type NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Members, type CarriedMember, type CarriedOwners } from './members.js';
import type { NewMember, PortfolioInput, PortfolioSnapshot } from './messages.js';

interface CarriedDeadline {
  /** The deadline, once it has passed. */
  readonly reached?: string;
  /** The last deadline that has passed, even if another was set since. */
  readonly ended_by?: string;
  /** Members that joined after it had passed. It does not apply to them. */
  readonly latecomers: readonly string[];
  readonly overdue: readonly string[];
  /** The ids of intents whose wait for a question it still has to end. */
  readonly overdue_waits: readonly string[];
}

/** The deadline of a portfolio: it ends what is open when it passes, and nothing that opens later (R26-27). */
class Deadline {
  private readonly expiry: Expiry;
  /** Ends waits for questions that have not come. */
  private readonly abandoning: Expiry;
  private latecomers: Set<string>;
  private last: string | undefined;
  /** Overdue questions end by this deadline, even if it is moved meanwhile. */
  private endedBy: string | undefined;

  constructor(portfolio_id: string, carried: CarriedDeadline | undefined, batch?: number) {
    this.last = carried?.reached;
    this.endedBy = carried?.ended_by;
    this.latecomers = new Set(carried?.latecomers);
    const due = () => ({ portfolio_id, deadline: this.endedBy ?? '' });
    const questions = (suspension_ids: readonly string[]) => ({ ...due(), suspension_ids });
    this.expiry = new Expiry(questions, carried?.overdue, batch);
    const waits = (intent_ids: readonly string[]) => ({
      ...due(),
      suspension_ids: [],
      intent_ids,
    });
    this.abandoning = new Expiry(waits, carried?.overdue_waits, batch);
  }

  get senders(): readonly Sender[] {
    return [this.expiry, this.abandoning];
  }

  get reached(): string | undefined {
    return this.last;
  }

  get carried(): CarriedDeadline {
    return {
      ...defined({ reached: this.last, ended_by: this.endedBy }),
      latecomers: [...this.latecomers],
      overdue: this.expiry.carried,
      overdue_waits: this.abandoning.carried,
    };
  }

  moved(): void {
    this.last = undefined;
    this.latecomers = new Set();
  }

  /** Whether the deadline passes now, at `at` (ms); true only once. */
  comes(deadline: string | undefined, at: number): boolean {
    if (deadline === undefined || deadline === this.last || toMillis(deadline) > at) return false;
    this.last = deadline;
    this.endedBy = deadline;
    return true;
  }

  joined(intentId: string): void {
    if (this.last !== undefined) this.latecomers.add(intentId);
  }

  left(intentId: string): void {
    this.latecomers.delete(intentId);
  }

  /** Ends the overdue questions of all members or of one, and overdue waits for a question. */
  endOverdue(members: Members, only?: string): void {
    const { last } = this;
    if (last === undefined) return;
    const at = now();
    const overdue = members.suspended((member) => isOverdue(member, last, at), only);
    for (const { intent_id, suspension_id } of overdue) {
      if (this.latecomers.has(intent_id)) continue;
      if (suspension_id === undefined) this.abandoning.add(intent_id);
      else this.expiry.add(suspension_id);
    }
  }
}

const { expireQuestions } = proxyActivities<Pick<Activities, 'expireQuestions'>>({
  startToCloseTimeout: '60 seconds',
  ...UNTIL_DONE,
  summary: 'end questions at the deadline',
});

/** Ends overdue questions or waits (R26-27), in batches. An id under way is not added again. */
class Expiry extends OrderedQueue<string> {
  private readonly request: (ids: readonly string[]) => DeadlineBatch;
  private readonly batch: number;
  private readonly onTheWay: Set<string>;

  constructor(
    request: (ids: readonly string[]) => DeadlineBatch,
    carried: readonly string[] = [],
    batch: number = WORKFLOW_LIMITS.deadlineBatch,
  ) {
    super(carried);
    this.request = request;
    this.batch = batch;
    this.onTheWay = new Set(carried);
  }

  override add(id: string): void {
    if (this.onTheWay.has(id)) return;
    this.onTheWay.add(id);
    super.add(id);
  }

  protected override batchOf(): number {
    return this.batch;
  }

  protected override async deliver(ids: readonly string[]): Promise<void> {
    await expireQuestions(this.request(ids));
    for (const id of ids) this.onTheWay.delete(id);
  }
}

export type PortfolioRun = PortfolioInput & { readonly carried?: CarriedPortfolio };

/** State that outlives a run; instants only, no durations. */
export interface CarriedPortfolio extends LogEnd, Omit<CarriedDeadline, 'latecomers'>, CarriedBase {
  readonly members: readonly CarriedMember[];
  /** Their positions among the members. */
  readonly latecomers: readonly number[];
  readonly owners: CarriedOwners;
  readonly observers: CarriedObservers;
  readonly wishes: CarriedWishes;
  readonly unwritten: readonly JournalRow[];
}

/** The portfolio's state in this run: its record, its log, and its members' announcements. */
export class PortfolioEntity extends Entity<PortfolioRun> {
  readonly journal: Journal;
  readonly announcer: Observers<Announced>;
  readonly outbox: Outbox;
  private readonly observing: Observing<Announcement>;
  readonly deadline: Deadline;
  readonly members: Members;
  private readonly input: PortfolioRun;
  private current: Portfolio;
  private readonly log: EventLog;
  protected override readonly carriedBytes = WORKFLOW_LIMITS.portfolioCarriedBytes;

  constructor(input: PortfolioRun) {
    super(input);
    const { portfolio, members = [], carried } = input;
    this.input = input;
    this.current = portfolio;
    this.log = new EventLog(portfolio.id, input, carried);
    this.members = new Members(carried?.members, carried?.owners);
    const deadline = carried && { ...carried, latecomers: this.members.at(carried.latecomers) };
    this.deadline = new Deadline(portfolio.id, deadline, input.deadline_batch);
    this.journal = new Journal(carried?.unwritten);
    this.announcer = announcer(
      () => portfolioAnnouncement(this.current, this.log.end),
      carried?.observers,
    );
    this.observing = observingIntents((end) => this.observe(end), carried?.wishes);
    const { journal, observing } = this;
    this.outbox = new Outbox(journal, this.announcer, observing, ...this.deadline.senders).start();
    if (!carried) this.create(members);
    this.describe();
  }

  get portfolio(): Portfolio {
    return this.current;
  }

  get view(): PortfolioView {
    return viewOfPortfolio(this.current, this.members.counts);
  }

  get position(): LogPosition {
    return this.log.position(this.current.version, this.journal.unwritten);
  }

  get snapshot(): PortfolioSnapshot {
    const { last_sequence } = this.log.end;
    return { portfolio: this.view, last_sequence, ...this.creation };
  }

  private get creation(): Pick<PortfolioInput, 'creation_hash'> {
    return defined({ creation_hash: this.input.creation_hash });
  }

  get over(): boolean {
    return this.current.status !== 'active';
  }

  override get nextInstant(): NextInstant {
    return { at: this.nextDeadline, summary: 'deadline', follows: true };
  }

  get nextRun(): PortfolioRun {
    const { members: _taken, ...input } = this.input;
    return { ...input, portfolio: this.current, carried: this.carried };
  }

  protected override get measured(): unknown {
    return [this.current, this.carried];
  }

  private get nextDeadline(): string | undefined {
    const deadline = this.current.governance_policy.deadline ?? undefined;
    return deadline === this.deadline.reached ? undefined : deadline;
  }

  private get carried(): CarriedPortfolio {
    return {
      ...this.log.end,
      ...this.deadline.carried,
      latecomers: this.members.placesOf(this.deadline.carried.latecomers),
      members: this.members.carried,
      owners: this.members.carriedOwners,
      observers: this.announcer.carried,
      wishes: this.observing.carried,
      unwritten: this.journal.unwritten,
    };
  }

  /** Applies a changed portfolio with its event. */
  commit({ portfolio, event }: PortfolioChange, principal: string): void {
    const { deadline: before } = this.current.governance_policy;
    this.current = portfolio;
    if (portfolio.governance_policy.deadline !== before) this.deadline.moved();
    this.record(event, principal);
    if (this.over) upsertSearchAttributes(statusAttributes(portfolio.status));
  }

  add(member: NewMember, sender: Sent): Membership {
    this.nextVersion();
    return this.admit(member, sender.actor, sender.by.principal);
  }

  /** Removes an intent. Its open question, if any, stays open. */
  remove(intentId: string, { by, actor }: Sent): void {
    this.nextVersion();
    this.members.remove(intentId);
    this.deadline.left(intentId);
    this.changeMember(intentId, null);
    const payload = { portfolio_id: this.current.id, intent_id: intentId };
    this.record({ event_type: 'portfolio.member_removed', actor, payload }, by.principal);
    this.observing.unobserve(intentId);
  }

  /** Applies an announcement of a member. Announcements of former members are ignored. */
  observe(announcement: Announcement): void {
    const { intent_id } = announcement;
    if (!this.members.has(intent_id)) return;
    const { moves } = this.members.observe(announcement);
    this.recordMoves(intent_id, moves);
    this.describe();
    this.deadline.endOverdue(this.members, intent_id);
  }

  /** Applies the deadline once it has passed: it ends every open question (R26-27). */
  settleDue(): void {
    this.measure();
    const deadline = this.nextDeadline;
    if (!this.deadline.comes(deadline, now())) return;
    const { id: portfolio_id, suspended_member_count } = this.view;
    const payload = { portfolio_id, deadline: deadline ?? null, suspended_member_count };
    this.record({ event_type: 'portfolio.deadline_reached', actor: CLOCK_ACTOR, payload });
    this.deadline.endOverdue(this.members);
  }

  private create(members: readonly NewMember[]): void {
    this.record(createdPortfolio(this.current));
    const { created_by, owner } = this.current;
    for (const member of members) this.admit(member, created_by, owner);
  }

  private admit(
    { intent_id, owner, role, priority, snapshot }: NewMember,
    actor: string,
    principal: string | undefined,
  ): Membership {
    const { id: portfolio_id, updated_at: added_at } = this.current;
    const membership = { id: uuid4(), portfolio_id, intent_id, role, priority, added_at };
    this.deadline.joined(intent_id);
    this.changeMember(intent_id, membership);
    const { moves } = this.members.observe(snapshot);
    this.members.belongs(intent_id, owner);
    const payload = { portfolio_id, intent_id, role, priority };
    this.record({ event_type: 'portfolio.member_added', actor, payload }, principal);
    this.recordMoves(intent_id, moves);
    this.observing.observe(intent_id);
    return membership;
  }

  private recordMoves(intent_id: string, moves: readonly MemberMove[]): void {
    for (const move of moves) this.record(memberMoved(this.view, intent_id, move));
  }

  private nextVersion(): void {
    const { version } = this.current;
    this.current = { ...this.current, version: version + 1, updated_at: toInstant(now()) };
    this.announcer.changed();
  }

  private changeMember(intent_id: string, membership: Membership | null): void {
    const { id: portfolio_id, version: revision } = this.current;
    const ids = { portfolio_id, intent_id };
    this.journal.append({ kind: 'portfolio_member', ...ids, revision, membership });
  }

  private record(draft: EventDraft, principal?: string): void {
    const event = this.log.add(draft, principal);
    const now = { portfolio: this.current, ...this.log.end, ...this.creation };
    this.journal.append({ kind: 'event', event }, { kind: 'portfolio', ...now });
    this.describe();
  }

  private describe(): void {
    setCurrentDetails(describePortfolio(this.view, this.deadline.reached));
  }
}
