import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Plan } from '../../contracts/plan.js';
import {
  describePlan,
  planEvent,
  planView,
  statusOf,
  type PlanChange,
  type PlanDuty,
  type PlanState,
} from '../../domain/plan/state.js';
import { follow, isPlanOver, takeNews } from '../../domain/plan/plan.js';
import { isSatisfied } from '../../domain/plan/task-claim.js';
import { toInstant } from '../../domain/kernel/time.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { now } from '../engine/clock.js';
import { EventSender } from '../intent/plan-events.js';
import { Journal } from '../engine/journal.js';
import { sendInOrder } from '../engine/outbox.js';
import { RunLength } from '../engine/run.js';
import { Following } from '../task/following.js';
import { Gates } from './gates.js';
import type { CarriedPlan, PlanInput } from './messages.js';

/** What a plan that an older release started lacks. */
const UNESCALATED = { escalations: [] };

/** The plan's state in this run; every change goes through `apply`. */
export class PlanEntity {
  readonly journal: Journal;
  readonly events: EventSender;
  readonly gates: Gates;
  readonly following: Following;
  private readonly duties: PlanDuty[];
  private readonly length: RunLength;
  private current: PlanState;
  /** Set while this run hands over to the next. */
  moving = false;

  constructor({ plan, members, history_limit, carried }: PlanInput) {
    this.length = new RunLength(history_limit);
    const record = { ...UNESCALATED, ...(carried?.state.plan ?? plan) };
    this.current = { ...(carried?.state ?? { members, revision: 1 }), plan: record };
    this.duties = [...(carried?.duties ?? [])];
    this.journal = new Journal(carried?.unwritten);
    this.events = new EventSender(plan.intent_id, carried?.untold_events);
    this.gates = new Gates(() => this.current, carried?.gates);
    this.following = new Following((news) => {
      this.apply((state) => takeNews(state, news, this.at));
    }, carried?.following);
    setCurrentDetails(describePlan(this.view));
    if (carried) this.ask();
  }

  /** What was told between two runs is told again. */
  private ask(): void {
    const open = this.current.members.filter((member) => !isSatisfied(statusOf(member)));
    this.following.follow(...open.map(({ task_id }) => task_id));
  }

  get state(): PlanState {
    return this.current;
  }

  get view(): Plan {
    return planView(this.current);
  }

  /** This instant, ISO-8601. */
  get at(): string {
    return toInstant(now());
  }

  get over(): boolean {
    return isPlanOver(this.current.plan.state);
  }

  get mayMove(): boolean {
    return this.length.isLong;
  }

  get takesNoWrites(): boolean {
    return this.moving || this.mayMove;
  }

  get carried(): CarriedPlan {
    return {
      state: this.current,
      gates: this.gates.carried,
      duties: this.duties,
      following: this.following.carried,
      untold_events: this.events.unsent,
      unwritten: this.journal.unwritten,
    };
  }

  get isBusy(): boolean {
    return this.duties.length > 0;
  }

  /** What is to be done, once. */
  takeDuties(): readonly PlanDuty[] {
    return this.duties.splice(0);
  }

  /** Tells that the plan is there; its tasks have been started. */
  begin(existing: readonly string[]): void {
    const { plan, members } = this.current;
    this.events.add(
      planEvent(this.current, 'plan.created', plan.created_by, { task_count: members.length }),
    );
    if (plan.state === 'active') {
      this.events.add(planEvent(this.current, 'plan.activated', plan.created_by));
    }
    this.following.follow(...existing);
    this.tell();
    this.apply((state) => follow(state, this.at));
  }

  /** From now on what is due goes out. */
  startSending(): void {
    void sendInOrder(this.journal, this.events, this.following, this.gates);
  }

  /** Takes over what a rule makes of the state, and tells of it. */
  apply(rule: (state: PlanState) => PlanChange): void {
    this.length.measure();
    const before = this.current;
    const { state, events, duties } = rule(before);
    this.current = state;
    this.events.add(...events);
    this.duties.push(...duties);
    if (state.revision !== before.revision) this.tell();
    if (state.plan.state !== before.plan.state) {
      upsertSearchAttributes(statusAttributes(state.plan.state));
    }
  }

  private tell(): void {
    const { view } = this;
    this.journal.append({ kind: 'plan', plan: view, revision: this.current.revision });
    setCurrentDetails(describePlan(view));
  }
}
