import type { Clock } from './clock.js';
import type { Consistency } from './consistency.js';
import { createCoordinatorReads } from './coordinator-reads.js';
import type { CoordinatorGateway } from './coordinator-types.js';
import { createCoordinators } from './coordinators.js';
import { createDecisions } from './decisions.js';
import type { Patient } from './patient-reads.js';
import { createPlanReads } from './plan-reads.js';
import type { PlanGateway } from './plan-types.js';
import { createPlans, createPlanWrites, createStartPlan } from './plans.js';
import { createPortfolioCreation } from './portfolio-creation.js';
import { createPortfolioReads } from './portfolio-reads.js';
import type { PortfolioGateway } from './portfolio-types.js';
import { createPortfolios } from './portfolios.js';
import type { Ask } from './queries.js';
import type { Reads } from './reads.js';
import type { Start } from './starts.js';
import type { FromStore } from './store-reads.js';
import { createTaskCreation, createTaskWrites } from './tasks.js';
import type { Gateway } from './types.js';
import type { Updates } from './updates.js';
import { createWorkflows } from './workflows.js';

interface Deps {
  readonly start: Start;
  readonly updates: Updates;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly reads: Reads;
  /** For what a write names. */
  readonly patient: Patient;
  readonly namedReads: Pick<Reads, 'getIntent'>;
  readonly askPatiently: Ask;
  readonly consistency: Consistency;
  readonly fromStore: FromStore;
  readonly createIntent: Gateway['createIntent'];
  readonly appendEvent: Gateway['appendEvent'];
}

/** What holds intents together: portfolios, tasks and plans, workflows of phases, coordinators. */
export function createContainers(deps: Deps): PortfolioGateway & PlanGateway & CoordinatorGateway {
  const portfolios = createPortfolioReads(deps);
  const coordinators = createCoordinatorReads(deps);
  const planReads = createPlanReads(deps);
  const { patient } = deps;
  const writes = {
    ...{ ...deps, ask: deps.askPatiently, reads: deps.namedReads },
    getPortfolio: patient(portfolios.getPortfolio),
    getCoordinator: patient(coordinators.getCoordinator),
  };
  const { getTask, getPlan } = planReads.methods;
  const methods = { ...planReads.methods, getTask: patient(getTask), getPlan: patient(getPlan) };
  const planDeps = { ...writes, planReads: { ...planReads, methods } };
  const startPlan = createStartPlan(planDeps);
  return {
    ...portfolios,
    ...createPortfolioCreation(writes),
    ...createPortfolios(writes),
    ...planReads.methods,
    ...createTaskCreation(planDeps),
    ...createTaskWrites(planDeps),
    ...createPlans(planDeps, startPlan),
    ...createPlanWrites(planDeps),
    ...createWorkflows({ ...deps, startPlan, planReads }),
    ...coordinators,
    ...createDecisions(writes),
    ...createCoordinators(writes),
  };
}
