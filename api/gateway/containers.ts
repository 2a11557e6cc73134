import type { Clock } from './calls/deadline.js';
import type { Patient } from './calls/patience.js';
import type { Temporal } from './calls/temporal.js';
import {
  createCoordinatorReads,
  createCoordinators,
  createDecisions,
} from './coordinator/coordinators.js';
import type { CreateIntent } from './intent/creation.js';
import type { Reads } from './intent/reads.js';
import type { AppendEvent } from './intent/writes.js';
import { createPhasedPlans } from './plan/phased-plans.js';
import { createPlanWrites, createPlans, createStartPlan } from './plan/plans.js';
import { createPlanReads } from './plan/reads.js';
import { createTaskCreation, createTaskWrites } from './plan/tasks.js';
import { createPortfolioCreation } from './portfolio/creation.js';
import { createPortfolioReads } from './portfolio/reads.js';
import { createPortfolios } from './portfolio/writes.js';
import type { Consistency } from './reads/consistency.js';
import type { FromStore, GatewayLog } from './reads/from-store.js';

interface Deps {
  readonly temporal: Temporal;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly reads: Reads;
  /** For what a write refers to. */
  readonly patient: Patient;
  readonly patientReads: Pick<Reads, 'getIntent'>;
  readonly patientTemporal: Temporal;
  readonly consistency: Consistency;
  readonly fromStore: FromStore;
  readonly createIntent: CreateIntent;
  readonly appendEvent: AppendEvent;
}

/** What holds intents together: portfolios, tasks and plans, plans with phases, coordinators. */
export function createContainers(deps: Deps) {
  const { patient } = deps;
  const portfolios = createPortfolioReads(deps);
  const coordinators = createCoordinatorReads(deps);
  const planReads = createPlanReads(deps);
  const writes = {
    ...deps,
    temporal: deps.patientTemporal,
    reads: deps.patientReads,
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
    ...createPhasedPlans({ ...deps, startPlan, planReads }),
    ...coordinators,
    ...createDecisions(writes),
    ...createCoordinators(writes),
  };
}
