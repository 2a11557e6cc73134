import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type { PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import type { Task } from '../../../contracts/plan/task.js';
import type { IntentHandle } from './intents.js';
import { idOf, openPlan, type OpenedPlan, type TaskHandle } from './plans.js';
import {
  coordinate,
  join,
  openPortfolio,
  portfolioIdOf,
  readPortfolio,
  type CoordinatorHandle,
  type PortfolioHandle,
} from './portfolios.js';
import type { World } from './world.js';
import { lookUntil } from '../../support/looks.js';

const PHASES = {
  fetch_data: { outputs: { rows: 'array' } },
  compliance_review: {
    depends_on: ['fetch_data'],
    inputs: { rows: 'fetch_data.rows' },
    outputs: { verdict: 'string' },
  },
  generate_report: {
    depends_on: ['compliance_review'],
    inputs: { verdict: 'compliance_review.verdict' },
    outputs: { report: 'string' },
  },
} as const;
export type PhaseName = keyof typeof PHASES;
const PHASE_NAMES = ['fetch_data', 'compliance_review', 'generate_report'] as const;

/** The intents of the phases, each after the one it depends on. */
type PhaseIntents = Readonly<Record<PhaseName, IntentHandle>>;

/** Starts the intents of the three phases. */
async function openPhases(world: World): Promise<PhaseIntents> {
  const after = (one: IntentHandle) => world.openIntent({ depends_on: [idOf(one)] });
  const fetch_data = await world.openIntent();
  const compliance_review = await after(fetch_data);
  return { fetch_data, compliance_review, generate_report: await after(compliance_review) };
}

/** No heartbeat is due in the story. */
const HEARTBEAT_SECONDS = 86_400;

/** The workflow of RFC-0026 §9 with all that observes it, as the API makes it of one request each. */
export class Compliance {
  readonly world: World;
  readonly portfolio: PortfolioHandle;
  readonly coordinator: CoordinatorHandle;
  private readonly plan: OpenedPlan;
  private readonly intents: PhaseIntents;

  private constructor(
    world: World,
    made: Pick<Compliance, 'portfolio' | 'coordinator'>,
    plan: OpenedPlan,
    intents: PhaseIntents,
  ) {
    this.world = world;
    this.portfolio = made.portfolio;
    this.coordinator = made.coordinator;
    this.plan = plan;
    this.intents = intents;
  }

  /** `deadline` of the portfolio in seconds from now. */
  static async open(world: World, deadline: number): Promise<Compliance> {
    const root = await world.openIntent();
    const intents = await openPhases(world);
    const tasks = PHASE_NAMES.map((name) => ({
      name,
      intent_id: idOf(intents[name]),
      ...PHASES[name],
    }));
    const workflow = { title: 'Compliance', description: null };
    const plan = await openPlan(world, root, { tasks, workflow });
    const portfolio = await openPortfolio(world, { deadline });
    for (const name of PHASE_NAMES) await join(world, portfolio, intents[name]);
    const heartbeat = { heartbeat_interval_seconds: HEARTBEAT_SECONDS };
    const coordinator = await coordinate(world, root, heartbeat);
    return new Compliance(world, { portfolio, coordinator }, plan, intents);
  }

  intent(name: PhaseName): IntentHandle {
    return this.intents[name];
  }

  task(name: PhaseName): TaskHandle {
    return this.plan.task(name);
  }

  taskId(name: PhaseName): string {
    return idOf(this.task(name));
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
      (one) => one.kind === 'plan' && one.plan.id === idOf(this.plan.handle),
    );
    return row?.kind === 'plan' ? row.plan : assert.fail('the store has no plan');
  }

  async portfolioOnce(isWanted: (view: PortfolioView) => boolean): Promise<PortfolioView> {
    return lookUntil(async () => {
      const view = await readPortfolio(this.portfolio);
      return isWanted(view) && view;
    }, 'the portfolio never got there');
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

  /** Looks into the store, which has what every reader gets. */
  private async stored<T>(what: string, look: () => T | undefined): Promise<T> {
    return lookUntil(async () => look(), `never stored: ${what}`);
  }
}

/** Whether a record has all of these fields with these values. */
function holds(record: object, of: object): boolean {
  const fields = new Map(Object.entries(record));
  return Object.entries(of).every(
    ([name, value]) => JSON.stringify(fields.get(name)) === JSON.stringify(value),
  );
}
