import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { createPlanRequestSchema } from '../../contracts/plan.js';
import { taskDefinitionSchema } from '../../contracts/task.js';
import { newIntent } from '../../domain/intent-entity.js';
import { assemblePlan } from '../../domain/plan-assembly.js';
import type { intent } from '../../workflows/intent/workflow.js';
import type { plan } from '../../workflows/plan/workflow.js';
import type { IntentHandle } from './intent-steps.js';
import { idOf, type PlanHandle } from './plan-steps.js';
import type { World } from './world.js';

const PHASES = {
  fetch_data: { outputs: { rows: 'array' } },
  compliance_review: {
    ...{ depends_on: ['fetch_data'], inputs: { rows: 'fetch_data.rows' } },
    outputs: { verdict: 'string' },
  },
  generate_report: {
    ...{ depends_on: ['compliance_review'], inputs: { verdict: 'compliance_review.verdict' } },
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
  const identity = { id: randomUUID(), created_by: 'planner', created_at };
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
