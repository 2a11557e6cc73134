import type { Announcement, IntentVersion } from '../../contracts/graph/announcement.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { PlanInput } from './messages.js';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller } from '../../contracts/people/caller.js';
import { SERVER } from '../../contracts/constants/callers.js';
import { defined } from '../../contracts/constants/defined.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Plan } from '../../contracts/plan/plan.js';
import type { TaskNews } from '../../contracts/plan/task.js';
import { endReason, type EventDraft } from '../../domain/intent/entity.js';
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
  type PlanChange,
  type PlanDuty,
  type PlanState,
} from '../../domain/plan/state.js';
import { accessOf, readerOf, type AccessLevel } from '../../domain/policy/access-list.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import {
  observingIntents,
  observingTasks,
  type CarriedWishes,
  type Observing,
} from '../engine/observing.js';
import { SignalQueue } from '../engine/queue.js';
import { Entity, type CarriedBase } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { planEventSignal } from '../intent/messages.js';
import { QuestionWatch } from '../suspension/watch.js';
import type { TaskInput } from '../task/messages.js';
import { Gates, type CarriedGates } from './gates.js';

export type PlanRun = PlanInput & { readonly carried?: CarriedPlan };

/** The parts of an intent's announcement that determine who may write, and why the intent ended if it has. */
type HeardIntent = Pick<Announcement, keyof IntentVersion | 'guard'> & {
  readonly ended?: string;
};

/** State that outlives a run. The plan and its members are passed separately. */
export interface CarriedPlan extends CarriedBase {
  readonly state: Omit<PlanState, 'plan' | 'members'>;
  readonly gates: CarriedGates;
  readonly duties: readonly PlanDuty[];
  readonly observing: CarriedWishes;
  readonly intent?: HeardIntent;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

export function stateOf({ plan, members, carried }: PlanRun): PlanState {
  return { revision: 1, ...carried?.state, plan, members };
}

export function nextRunOf(
  input: PlanInput,
  { plan, members, ...state }: PlanState,
  kept: Omit<CarriedPlan, 'state'>,
): PlanRun {
  return { ...input, plan, members, children: [], carried: { state, ...kept } };
}

/** The plan's state in this run; every change goes through `apply`. */
export class PlanEntity extends Entity<PlanRun> {
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly tasks: Observing<TaskNews>;
  protected override readonly carriedBytes = WORKFLOW_LIMITS.planCarriedBytes;
  private readonly input: PlanRun;
  /** Events for the log of the intent (RFC-0012 §1.2), which accepts none once it is closed. */
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
    // Each run asks again, because its intent drops it if it was between two runs.
    this.observing.observe(plan.intent_id);
    if (carried) this.outbox.start();
  }

  get state(): PlanState {
    return this.current;
  }

  get view(): Plan {
    return planView(this.current);
  }

  /** The result of a write: the plan, unless it is too large. */
  get written(): Plan | undefined {
    const { view } = this;
    return jsonBytes(view) > WORKFLOW_LIMITS.resultBytes ? undefined : view;
  }

  get creation(): Pick<PlanInput, 'creation_hash'> {
    return defined({ creation_hash: this.input.creation_hash });
  }

  /** The current time, ISO-8601. */
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

  get hasBegun(): boolean {
    return this.begun;
  }

  get children(): readonly TaskInput[] {
    return this.input.children.map((child) => {
      const { intent_id } = child.task;
      const isOwn = intent_id === this.intent.intent_id;
      const guard = isOwn ? this.intent.guard : this.readGuard(intent_id);
      return guard ? { ...child, guard } : child;
    });
  }

  /** Applies an announcement of its intent, unless a newer one is known. */
  hear({ intent_id, version, last_sequence, status, guard }: Announcement): void {
    this.measure();
    const ended = endReason(status);
    const news = { intent_id, version, last_sequence, ...defined({ guard, ended }) };
    if (intent_id !== this.intent.intent_id || !isNewer(this.intent, news)) return;
    this.intent = news;
    if (ended !== undefined) this.apply(planUnchanged);
  }

  /** Why its intent has ended; undefined while it continues. */
  get intentEnd(): string | undefined {
    return this.intent.ended;
  }

  /** What its intent's access list allows a caller, as far as the plan knows the list. */
  accessFor(by: Caller): AccessLevel {
    return accessOf(readerOf(by), this.intent.guard ?? {}, now());
  }

  /** The guard of an intent as it was read before the plan started. */
  private readGuard(intentId: string): Guarded | undefined {
    return this.input.guards?.find(({ intent_id }) => intent_id === intentId)?.guard;
  }

  /** Its intent before the first announcement. */
  private get unheard(): HeardIntent {
    const { intent_id } = this.input.plan;
    const guard = this.readGuard(intent_id);
    return { intent_id, version: 0, last_sequence: 0, ...defined({ guard }) };
  }

  settleDue(): void {
    // Time changes nothing in a plan: its tasks and its questions have clocks of their own.
  }

  /** Returns the pending duties once. */
  takeDuties(): readonly PlanDuty[] {
    return this.duties.splice(0);
  }

  /** Starts sending, once its tasks have been started. */
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
   * Applies a rule to the state, and publishes the result.
   *
   * @param principal - who makes the write; by default the server
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
