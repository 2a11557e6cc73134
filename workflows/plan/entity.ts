import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { SERVER } from '../../contracts/constants/callers.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { Plan } from '../../contracts/plan.js';
import type { TaskNews } from '../../contracts/task.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { follow, isPlanOver, takeNews } from '../../domain/plan/plan.js';
import { describePlan, openQuestions, planEvent, planView } from '../../domain/plan/state.js';
import type { PlanChange, PlanDuty, PlanState } from '../../domain/plan/state.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { observingTasks } from '../engine/observing.js';
import type { CarriedWishes, Observing } from '../engine/observing.js';
import { SignalQueue } from '../engine/queue.js';
import { Entity } from '../engine/run.js';
import type { CarriedCancellation } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { planEventSignal } from '../intent/messages.js';
import { QuestionWatch } from '../suspension/watch.js';
import type { TaskInput } from '../task/messages.js';
import { Gates } from './gates.js';
import type { CarriedGates } from './gates.js';
import type { PlanInput } from './messages.js';

/** What starts a run of a plan. */
export type PlanRun = PlanInput & { readonly carried?: CarriedPlan };

/** State that outlives a run. */
export interface CarriedPlan extends CarriedCancellation {
  readonly state: PlanState;
  readonly gates: CarriedGates;
  readonly duties: readonly PlanDuty[];
  readonly observing: CarriedWishes;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

/** What a plan that an older release started lacks. */
const UNESCALATED = { escalations: [] };

/** The plan's state in this run; every change goes through `apply`. */
export class PlanEntity extends Entity<PlanRun> {
  readonly outbox: Outbox;
  readonly tasks: Observing<TaskNews>;
  /** Waits for a write that is nearly done, rather than writing it again. */
  override readonly writesWithinMs = 1_000;
  private readonly input: PlanRun;
  private readonly journal: Journal;
  /** For the log of the intent (RFC-0012 §1.2), which takes no more once it is closed. */
  private readonly events: SignalQueue<EventDraft>;
  readonly watch: QuestionWatch;
  private readonly gates: Gates;
  private readonly duties: PlanDuty[];
  private current: PlanState;
  private begun: boolean;

  constructor(input: PlanRun) {
    super(input);
    const { plan, members, carried } = input;
    this.input = input;
    this.begun = carried !== undefined;
    const record = { ...UNESCALATED, ...(carried?.state.plan ?? plan) };
    this.current = { ...(carried?.state ?? { members, revision: 1 }), plan: record };
    this.duties = [...(carried?.duties ?? [])];
    this.journal = new Journal(carried?.unwritten);
    const intentId = peerIdOf('intent', plan.intent_id);
    this.events = new SignalQueue(intentId, planEventSignal, carried?.unsent_events);
    this.gates = new Gates(() => this.current, carried?.gates);
    this.tasks = observingTasks((news) => {
      this.apply((state) => takeNews(state, news, this.at));
    }, carried?.observing);
    this.watch = new QuestionWatch(() => openQuestions(this.current.plan));
    this.outbox = new Outbox(this.journal, this.events, this.tasks, this.gates, this.watch);
    setCurrentDetails(describePlan(this.view));
    if (carried) this.outbox.start();
  }

  get state(): PlanState {
    return this.current;
  }

  get view(): Plan {
    return planView(this.current);
  }

  /** The hash under which it was created, if it has one. */
  get creation(): Pick<PlanInput, 'creation_hash'> {
    const { creation_hash } = this.input;
    return creation_hash === undefined ? {} : { creation_hash };
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
    const { plan, members } = this.current;
    return { ...this.input, plan, members, children: [], carried: this.carried };
  }

  /** Whether its tasks have been started. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** The tasks that the plan starts. */
  get children(): readonly TaskInput[] {
    return this.input.children;
  }

  private get carried(): CarriedPlan {
    return {
      state: this.current,
      gates: this.gates.carried,
      duties: this.duties,
      observing: this.tasks.carried,
      unsent_events: this.events.carried,
      unwritten: this.journal.unwritten,
    };
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
    const { state, events, duties } = rule(before);
    this.current = state;
    this.events.add(...events.map((event) => ({ principal, ...event })));
    this.duties.push(...duties);
    if (state.revision !== before.revision) this.publish();
    if (state.plan.state !== before.plan.state) {
      upsertSearchAttributes(statusAttributes(state.plan.state));
    }
  }

  private publish(): void {
    const { view } = this;
    const { revision } = this.current;
    this.journal.append({ kind: 'plan', plan: view, revision, ...this.creation });
    setCurrentDetails(describePlan(view));
  }
}
