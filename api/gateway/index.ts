import type { Client } from '@temporalio/client';
import type { ServerConfig } from '../../contracts/config.js';
import { createAgents } from './agent/agents.js';
import { systemClock } from './calls/deadline.js';
import type { Clock } from './calls/deadline.js';
import { WorkerSilence } from './calls/failures.js';
import { createAsk, createPatient, patientAsk } from './calls/queries.js';
import type { Ask, Patient } from './calls/queries.js';
import { Gate } from './calls/queues.js';
import { createStart } from './calls/starts.js';
import type { Start } from './calls/starts.js';
import { createUpdates } from './calls/updates.js';
import type { Updates } from './calls/updates.js';
import {
  createCoordinatorReads,
  createCoordinators,
  createDecisions,
} from './coordinator/coordinators.js';
import { createGraph } from './graph/graph.js';
import { createCreation } from './intent/creation.js';
import { createEventLogs, createKnownEnd } from './intent/event-log.js';
import { createLeases } from './intent/leases.js';
import { createLists, createReads } from './intent/reads.js';
import type { Reads } from './intent/reads.js';
import { createIntentWriter, createIntents } from './intent/writes.js';
import { createPhasedPlans } from './plan/phased-plans.js';
import { createPlanWrites, createPlans, createStartPlan } from './plan/plans.js';
import { createPlanReads } from './plan/reads.js';
import { createTaskCreation, createTaskWrites } from './plan/tasks.js';
import type { PlanGateway } from './plan/types.js';
import { createPortfolioCreation } from './portfolio/creation.js';
import { createPortfolioReads } from './portfolio/reads.js';
import { createPortfolios } from './portfolio/writes.js';
import { createReadiness } from './readiness.js';
import { Consistency, Settlements } from './reads/read-your-writes.js';
import { createFromStore } from './reads/store-reads.js';
import type { FromStore, GatewayLog, StoreReads } from './reads/store-reads.js';
import { createSubscriptions } from './subscription/subscriptions.js';
import { createAnswers, createDeliver, createRepeated } from './suspension/answers.js';
import { createDiagnose } from './suspension/diagnosis.js';
import { createInbox } from './suspension/inbox.js';
import { createOpenings, createSuspensions } from './suspension/opening.js';
import { Outcomes, createWaits } from './suspension/waits.js';
import { createWithdrawals } from './suspension/withdrawal.js';
import type { CoordinatorGateway, Gateway, PortfolioGateway } from './types.js';

interface ContainerDeps {
  readonly start: Start;
  readonly updates: Updates;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly reads: Reads;
  /** For what a write names. */
  readonly patient: Patient;
  readonly patientReads: Pick<Reads, 'getIntent'>;
  readonly askPatiently: Ask;
  readonly consistency: Consistency;
  readonly fromStore: FromStore;
  readonly createIntent: Gateway['createIntent'];
  readonly appendEvent: Gateway['appendEvent'];
}

/** What holds intents together: portfolios, tasks and plans, workflows of phases, coordinators. */
export function createContainers(
  deps: ContainerDeps,
): PortfolioGateway & PlanGateway & CoordinatorGateway {
  const portfolios = createPortfolioReads(deps);
  const coordinators = createCoordinatorReads(deps);
  const planReads = createPlanReads(deps);
  const { patient } = deps;
  const writes = {
    ...deps,
    ask: deps.askPatiently,
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

export interface GatewayDeps {
  readonly client: Client;
  readonly store: StoreReads;
  readonly config: ServerConfig;
  readonly log: GatewayLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Only tests replace it. */
  readonly clock?: Clock;
}

/** Puts the API's one way to Temporal and to the store together; one per process. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { client, store, config, log, now, clock = systemClock(now) } = deps;
  const fromStore = createFromStore(store, clock, log);
  const workerSilence = new WorkerSilence();
  const ask = createAsk(client, clock, workerSilence);
  const updates = createUpdates(client, clock, new Gate(), workerSilence);
  const reads = createReads(ask, fromStore);
  const consistency = new Consistency({ ask, fromStore, clock, log });
  const settlements = new Settlements(clock, fromStore);
  const deliver = createDeliver(client, clock, updates);
  const diagnose = createDiagnose(reads);
  const repeated = createRepeated({ fromStore, settlements, diagnose });
  const write = createIntentWriter(updates, reads);
  const start = createStart(client, clock);
  const patient = createPatient(clock);
  const patientReads = { getIntent: patient((id) => reads.getIntent(id)) };
  const askPatiently = patientAsk(ask, clock);
  const creation = createCreation({
    start,
    write,
    clock,
    consistency,
    ask: askPatiently,
    reads: patientReads,
  });
  const intents = createIntents(write, reads, consistency, settlements);
  const containers = createContainers({
    start,
    updates,
    ask,
    clock,
    reads,
    consistency,
    fromStore,
    patient,
    patientReads,
    askPatiently,
    createIntent: creation.createIntent,
    appendEvent: intents.appendEvent,
  });
  return {
    ...reads,
    ...creation,
    ...createGraph({ write, reads, patientReads, consistency, fromStore }),
    ...intents,
    ...createLeases(write, consistency),
    ...createLists(consistency, fromStore),
    ...createSuspensions({ config, write, reads, consistency, settlements }),
    ...createWithdrawals({ updates, reads, diagnose, consistency, settlements }),
    ...createAnswers({ clock, deliver, repeated, diagnose, consistency, settlements }),
    ...createInbox({ config, fromStore, settlements }),
    ...createWaits(reads, new Outcomes(client, clock), clock, settlements),
    ...createEventLogs(createKnownEnd(ask, consistency, fromStore), fromStore),
    ...createOpenings({ config, clock, start, reads, settlements }),
    ...containers,
    ...createSubscriptions({
      client,
      config,
      clock,
      start,
      ask,
      fromStore,
      reads: patientReads,
      getPortfolio: patient((id) => containers.getPortfolio(id)),
    }),
    ...createAgents(clock, fromStore),
    ...createReadiness(client, store, clock, workerSilence),
  };
}
