import assert from 'node:assert/strict';
import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { Plan } from '../../contracts/plan.js';
import type { PortfolioView } from '../../contracts/portfolio.js';
import type { Task } from '../../contracts/task.js';
import type { task } from '../../workflows/task/workflow.js';
import {
  openPhasePlan,
  openPhases,
  PHASE_NAMES,
  type PhaseIntents,
  type PhaseName,
} from './compliance-scene.js';
import { coordinate, type CoordinatorHandle } from './coordinators.js';
import type { IntentHandle } from './intent-steps.js';
import { idOf, type PlanHandle, type TaskHandle } from './plan-steps.js';
import {
  join,
  openPortfolio,
  portfolioIdOf,
  readPortfolio,
  type PortfolioHandle,
} from './portfolios.js';
import type { World } from './world.js';

const LOOKS = 5_000;
/** No heartbeat is due in the story. */
const HEARTBEAT_SECONDS = 86_400;

/** The workflow of RFC-0026 §9 with all that observes it, as the API makes it of one request each. */
export class Compliance {
  readonly world: World;
  readonly root: IntentHandle;
  readonly portfolio: PortfolioHandle;
  readonly plan: PlanHandle;
  readonly coordinator: CoordinatorHandle;
  private readonly intents: PhaseIntents;
  private readonly tasks: ReadonlyMap<string, string>;

  private constructor(
    world: World,
    made: Pick<Compliance, 'root' | 'portfolio' | 'plan' | 'coordinator'>,
    intents: PhaseIntents,
    tasks: ReadonlyMap<string, string>,
  ) {
    this.world = world;
    this.root = made.root;
    this.portfolio = made.portfolio;
    this.plan = made.plan;
    this.coordinator = made.coordinator;
    this.intents = intents;
    this.tasks = tasks;
  }

  /** `deadline` of the portfolio in seconds from now. */
  static async open(world: World, deadline: number): Promise<Compliance> {
    const root = await world.openIntent();
    const intents = await openPhases(world);
    const { handle, tasks } = await openPhasePlan(world, root, intents);
    const portfolio = await openPortfolio(world, { deadline });
    for (const name of PHASE_NAMES) await join(world, portfolio, intents[name]);
    const heartbeat = { heartbeat_interval_seconds: HEARTBEAT_SECONDS };
    const coordinator = await coordinate(world, root, heartbeat);
    return new Compliance(world, { root, portfolio, plan: handle, coordinator }, intents, tasks);
  }

  intent(name: PhaseName): IntentHandle {
    return this.intents[name];
  }

  task(name: PhaseName): TaskHandle {
    return this.world.client.getHandle<typeof task>(`task-${this.taskId(name)}`);
  }

  taskId(name: PhaseName): string {
    return this.tasks.get(name) ?? assert.fail(`no task ${name}`);
  }

  /** The log of a phase's intent, as the store has it. */
  log(name: PhaseName): readonly IntentEvent[] {
    return this.world.activities.eventsOf(idOf(this.intents[name]));
  }

  portfolioLog(): readonly IntentEvent[] {
    return this.world.activities.eventsOf(portfolioIdOf(this.portfolio));
  }

  /** Every record of a phase's task that the store got, oldest first. */
  taskRows(name: PhaseName): readonly Task[] {
    const { rows } = this.world.activities;
    return rows.flatMap((row) =>
      row.kind === 'task' && row.task.id === this.taskId(name) ? [row.task] : [],
    );
  }

  /** The plan as the store holds it last. */
  planRow(): Plan {
    const row = this.world.activities.rows.findLast(
      (one) => one.kind === 'plan' && one.plan.id === idOf(this.plan),
    );
    return row?.kind === 'plan' ? row.plan : assert.fail('the store has no plan');
  }

  async portfolioOnce(isWanted: (view: PortfolioView) => boolean): Promise<PortfolioView> {
    for (let look = 0; look < LOOKS; look += 1) {
      const view = await readPortfolio(this.portfolio);
      if (isWanted(view)) return view;
    }
    return assert.fail('the portfolio never got there');
  }

  /** An event of the log of a phase's intent, once it is there. */
  async event(name: PhaseName, type: string, of: object = {}): Promise<IntentEvent> {
    return this.stored(`${name}: ${type} ${JSON.stringify(of)}`, () =>
      this.log(name).find(({ event_type, payload }) => event_type === type && holds(payload, of)),
    );
  }

  /** The task of a phase, once it is as looked for. */
  async taskOnce(name: PhaseName, of: Partial<Task>): Promise<Task> {
    return this.stored(`task ${name}: ${JSON.stringify(of)}`, () => {
      const last = this.taskRows(name).at(-1);
      return last && holds(last, of) ? last : undefined;
    });
  }

  /** The intent of a phase, once it has a status. */
  async intentOnce(name: PhaseName, status: Intent['status']): Promise<Intent> {
    return this.stored(`intent ${name}: ${status}`, () => {
      const last = this.world.activities.intentOf(idOf(this.intents[name]));
      return last.status === status ? last : undefined;
    });
  }

  async planOnce(isWanted: (plan: Plan) => boolean): Promise<Plan> {
    return this.stored('the plan', () => {
      const last = this.planRow();
      return isWanted(last) ? last : undefined;
    });
  }

  /** Looks into the store, and not at workflows: a Query that meets a task can cost the server its skipping. */
  private async stored<T>(what: string, look: () => T | undefined): Promise<T> {
    for (let count = 0; count < LOOKS; count += 1) {
      const found = look();
      if (found !== undefined) return found;
      await this.root.describe();
    }
    return assert.fail(`never stored: ${what}`);
  }
}

/** Whether a record has all of these fields with these values. */
function holds(record: object, of: object): boolean {
  const fields = new Map(Object.entries(record));
  return Object.entries(of).every(
    ([name, value]) => JSON.stringify(fields.get(name)) === JSON.stringify(value),
  );
}
