import type { Coordinator } from '../../../contracts/coordinator.js';
import type { WorkflowView } from '../../../contracts/plan.js';
import type { PortfolioView } from '../../../contracts/portfolio.js';
import type { Api } from './api.js';
import type { Ids } from './reads.js';
import { PHASES, WORKFLOW, type PhaseName } from './story.js';

/** A deadline that is not to come. */
const FAR_MS = 600_000;
/** No heartbeat is due in the story. */
const HEARTBEAT_SECONDS = 3_600;

/** Starts the workflow of the story, the portfolio of its intents and a coordinator of the whole. */
export async function openStory(api: Api): Promise<Ids> {
  const workflow = await api.post<WorkflowView>('/workflows', WORKFLOW);
  const idsOf = (pick: (phase: WorkflowView['phases'][number]) => string) =>
    Object.fromEntries(workflow.phases.map((one) => [one.phase_name, pick(one)])) as Record<
      PhaseName,
      string
    >;
  const intents = idsOf(({ intent_id }) => intent_id);
  const portfolio = await api.post<PortfolioView>('/portfolios', {
    name: 'Compliance',
    governance_policy: { deadline: new Date(Date.now() + FAR_MS).toISOString() },
    intents: PHASES.map((phase) => ({ intent_id: intents[phase] })),
  });
  const coordinator = await api.post<Coordinator>('/coordinators', {
    intent_id: workflow.intent_id,
    heartbeat_interval_seconds: HEARTBEAT_SECONDS,
  });
  return {
    ...{ workflow: workflow.id, portfolio: portfolio.id, coordinator: coordinator.id, intents },
    tasks: idsOf(({ task_id }) => task_id),
  };
}
