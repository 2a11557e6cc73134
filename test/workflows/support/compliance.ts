import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { createPlanRequestSchema } from '../../../contracts/plan/plan.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type { PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import { taskDefinitionSchema } from '../../../contracts/plan/task.js';
import type { Task } from '../../../contracts/plan/task.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { assemblePlan } from '../../../domain/plan/assembly.js';
import type { intent } from '../../../workflows/intent/workflow.js';
import type { plan } from '../../../workflows/plan/workflow.js';
import type { task } from '../../../workflows/task/workflow.js';
import type { IntentHandle } from './intents.js';
import { idOf } from './plans.js';
import type { PlanHandle, TaskHandle } from './plans.js';
import { coordinate, join, openPortfolio, portfolioIdOf, readPortfolio } from './portfolios.js';
import type { CoordinatorHandle, PortfolioHandle } from './portfolios.js';
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
export const PHASE_NAMES = ['fetch_data', 'compliance_review', 'generate_report'] as const;

/** The intents of the phases, each after the one it depends on. */
export type PhaseIntents = Readonly<Record<PhaseName, IntentHandle>>;

/** Starts the intents of the three phases. */
export async function openPhases(world: World): Promise<PhaseIntents> {
  const fetch_data = await phaseIntent(world, 'fetch_data', []);
  const compliance_review = await phaseIntent(world, 'compliance_review', [fetch_data]);
  const generate_report = await phaseIntent(world, 'generate_report', [compliance_review]);
  return { fetch_data, compliance_review, generate_report };
}

async function phaseIntent(
  world: World,
  title: PhaseName,
  on: readonly IntentHandle[],
): Promise<IntentHandle> {
  const created_at = new Date(await world.now()).toISOString();
  const identity = { id: randomUUID(), created_by: 'planner', owner: 'planner', created_at };
  const request = { title, status: 'active' as const, state: {}, constraints: {} };
  const depends_on = on.map((one) => idOf(one));
  return world.client.start<typeof intent>('intent', {
    workflowId: workflowIdOf('intent', identity.id),
    taskQueue: world.taskQueue,
    args: [{ intent: newIntent({ ...request, depends_on }, identity) }],
  });
}

/** Starts the plan of the phases; `tasks` are the ids of its tasks by phase. */
export async function openPhasePlan(
  world: World,
  root: IntentHandle,
  intents: PhaseIntents,
): Promise<{ handle: PlanHandle; tasks: ReadonlyMap<string, string> }> {
  const definitions = PHASE_NAMES.map((name) =>
    taskDefinitionSchema.parse({ name, intent_id: idOf(intents[name]), ...PHASES[name] }),
  );
  const request = createPlanRequestSchema.parse({ intent_id: idOf(root), state: 'active' });
  const created_at = new Date(await world.now()).toISOString();
  const made = { id: randomUUID(), created_by: 'planner', created_at, existing: [] };
  const workflow = { title: 'Compliance', description: null };
  const statics = { trigger: {}, initial_state: {} };
  const draft = { ...request, ...made, definitions, workflow, statics };
  const assembled = assemblePlan(draft, randomUUID);
  const handle = await world.client.start<typeof plan>('plan', {
    workflowId: workflowIdOf('plan', made.id),
    taskQueue: world.taskQueue,
    args: [assembled],
  });
  return { handle, tasks: new Map(assembled.members.map((one) => [one.name, one.task_id])) };
}

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
