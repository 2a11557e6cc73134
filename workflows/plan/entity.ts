import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import type { Caller } from '../../contracts/people/caller.js';
import { SERVER } from '../../contracts/constants/callers.js';
import { defined } from '../../contracts/constants/defined.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Plan } from '../../contracts/plan/plan.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { endReason } from '../../domain/intent/entity.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { isNewer } from '../../domain/graph/announcement.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import {
  asksInVain,
  cancelWithIntent,
  follow,
  isPlanOver,
  takeNews,
} from '../../domain/plan/plan.js';
import {
  describePlan,
  openQuestions,
  planEvent,
  planThen,
  planUnchanged,
  planView,
} from '../../domain/plan/state.js';
import type { PlanChange, PlanDuty, PlanState } from '../../domain/plan/state.js';
import { accessOf, readerOf } from '../../domain/policy/access-list.js';
import type { AccessLevel } from '../../domain/policy/access-list.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { observingIntents, observingTasks } from '../engine/observing.js';
import type { Observing } from '../engine/observing.js';
import { SignalQueue } from '../engine/queue.js';
import { Entity } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { planEventSignal } from '../intent/messages.js';
import { QuestionWatch } from '../suspension/watch.js';
import type { TaskInput } from '../task/messages.js';
import { nextRunOf, stateOf } from './carried.js';
import type { HeardIntent, PlanRun } from './carried.js';
import { Gates } from './gates.js';
import type { PlanInput } from './messages.js';

/** The plan's state in this run; every change goes through `apply`. */
export class PlanEntity extends Entity<PlanRun> {
  readonly outbox: Outbox;
  readonly tasks: Observing<TaskNews>;
  protected override readonly carriedBytes = WORKFLOW_LIMITS.planCarriedBytes;
  private readonly input: PlanRun;
  private readonly journal: Journal;
  /** For the log of the intent (RFC-0012 §1.2), which takes no more once it is closed. */
  private readonly events: SignalQueue<EventDraft>;
  readonly watch: QuestionWatch;
  private readonly observing: Observing<Announcement>;
  private intent: HeardIntent;
  private readonly gates: Gates;
  private readonly duties: PlanDuty[];
  private current: PlanState;
  private begun: boolean;

  constructor(input: PlanRun) {
    super(input);
    const { plan, carried } = input;
    this.input = input;
    this.begun = carried !== undefined;
    this.current = stateOf(input);
    this.duties = [...(carried?.duties ?? [])];
    this.journal = new Journal(carried?.unwritten);
    const intentId = peerIdOf('intent', plan.intent_id);
    this.events = new SignalQueue(intentId, planEventSignal, carried?.unsent_events);
    this.gates = new Gates(() => this.current, carried?.gates);
    this.tasks = observingTasks(
      (news) => this.apply((state) => takeNews(state, news, this.at)),
      carried?.observing,
    );
    this.intent = carried?.intent ?? this.unheard;
    this.observing = observingIntents((end) => this.hear(end));
    this.watch = new QuestionWatch(() => openQuestions(this.current.plan));
    const { journal, events, tasks, gates, watch, observing } = this;
    this.outbox = new Outbox(journal, events, tasks, gates, watch, observing);
    setCurrentDetails(describePlan(this.view));
    // Each run asks again, for its intent drops it if it was between two runs.
    this.observing.observe(plan.intent_id);
    if (carried) this.outbox.start();
  }

  get state(): PlanState {
    return this.current;
  }

  get view(): Plan {
    return planView(this.current);
  }

  /** What a write returns: the plan, unless it is too large for that. */
  get written(): Plan | undefined {
    const { view } = this;
    return jsonBytes(view) > WORKFLOW_LIMITS.resultBytes ? undefined : view;
  }

  /** The hash under which it was created, if it has one. */
  get creation(): Pick<PlanInput, 'creation_hash'> {
    return defined({ creation_hash: this.input.creation_hash });
  }

  /** This instant, ISO-8601. */
  get at(): string {
    return toInstant(now());
  }

  get closed(): boolean {
    return isPlanOver(this.current.plan.state);
  }

  get over(): boolean {
    return this.closed && !this.isBusy;
  }

  override get isBusy(): boolean {
    return !this.begun || this.duties.length > 0;
  }

  get nextRun(): PlanRun {
    const { guards: _guards, ...input } = this.input;
    return nextRunOf(input, this.current, {
      gates: this.gates.carried,
      duties: this.duties,
      observing: this.tasks.carried,
      intent: this.intent,
      unsent_events: this.events.carried,
      unwritten: this.journal.unwritten,
    });
  }

  protected override get measured(): unknown {
    return this.nextRun;
  }

  /** Whether its tasks have been started. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** The tasks that the plan starts. */
  get children(): readonly TaskInput[] {
    return this.input.children.map((child) => {
      const { intent_id } = child.task;
      const isOwn = intent_id === this.intent.intent_id;
      const guard = isOwn ? this.intent.guard : this.readGuard(intent_id);
      return guard ? { ...child, guard } : child;
    });
  }

  /** Takes over what its intent announces, unless it knows something newer. */
  hear({ intent_id, version, last_sequence, status, guard }: Announcement): void {
    this.measure();
    const ended = endReason(status);
    const news = { intent_id, version, last_sequence, ...defined({ guard, ended }) };
    if (intent_id !== this.intent.intent_id || !isNewer(this.intent, news)) return;
    this.intent = news;
    if (ended !== undefined) this.apply(planUnchanged);
  }

  /** Why its intent has ended; undefined while it goes on. */
  get intentEnd(): string | undefined {
    return this.intent.ended;
  }

  /** What the access list of its intent lets a caller do to it, as far as the plan knows the list. */
  accessFor(by: Caller): AccessLevel {
    return accessOf(readerOf(by), this.intent.guard ?? {}, now());
  }

  /** The guard of an intent as it was read before the plan started. */
  private readGuard(intentId: string): Guarded | undefined {
    return this.input.guards?.find(({ intent_id }) => intent_id === intentId)?.guard;
  }

  /** Its intent, before that has announced itself. */
  private get unheard(): HeardIntent {
    const { intent_id } = this.input.plan;
    const guard = this.readGuard(intent_id);
    return { intent_id, version: 0, last_sequence: 0, ...defined({ guard }) };
  }

  settleDue(): void {
    // The clock changes nothing in a plan: its tasks and its questions have clocks of their own.
  }

  /** What is to be done, once. */
  takeDuties(): readonly PlanDuty[] {
    return this.duties.splice(0);
  }

  /** Its tasks have been started: from now on what is due goes out. */
  begin(): void {
    this.begun = true;
    const { plan, members } = this.current;
    const { created_by: principal } = plan;
    const counts = { task_count: members.length };
    const created = planEvent(this.current, 'plan.created', principal, counts);
    this.events.add({ ...created, principal });
    if (plan.state === 'active') {
      this.events.add({ ...planEvent(this.current, 'plan.activated', principal), principal });
    }
    const started = new Set(this.input.children.map(({ task }) => task.id));
    const existing = members.map(({ task_id }) => task_id).filter((id) => !started.has(id));
    this.tasks.observe(...existing);
    this.publish();
    this.apply((state) => follow(state, this.at));
    this.outbox.start();
  }

  /**
   * Takes over what a rule makes of the state, and publishes it.
   *
   * @param principal - who makes the write; the server without one
   */
  apply(rule: (state: PlanState) => PlanChange, principal: string = SERVER.principal): void {
    this.measure();
    const before = this.current;
    const { state, events, duties } = this.unlessInVain(rule(before));
    this.current = state;
    this.events.add(...events.map((event) => ({ principal, ...event })));
    this.duties.push(...duties);
    if (state.revision !== before.revision) this.publish();
    if (state.plan.state !== before.plan.state) {
      upsertSearchAttributes(statusAttributes(state.plan.state));
    }
  }

  /** Cancels the plan if it would wait for people after the end of its intent. */
  private unlessInVain(change: PlanChange): PlanChange {
    const { intentEnd } = this;
    if (intentEnd === undefined || !asksInVain(change.state)) return change;
    return planThen(change, (state) => cancelWithIntent(state, intentEnd, this.at));
  }

  /** Writes what its questions left to write. */
  write(rows: readonly JournalRow[]): void {
    this.journal.append(...rows);
  }

  private publish(): void {
    const { view } = this;
    const { revision } = this.current;
    this.journal.append({ kind: 'plan', plan: view, revision, ...this.creation });
    setCurrentDetails(describePlan(view));
  }
}
