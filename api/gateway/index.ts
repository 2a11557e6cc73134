import type { Client } from '@temporalio/client';
import type { IdSecrets, ServerConfig } from '../../contracts/config.js';
import type { JournalWatch } from '../../contracts/journal.js';
import type { AgentStates } from '../../contracts/approval-requests.js';
import { createAgents } from './agent/agents.js';
import { createApprovals } from './approval/approvals.js';
import { createWrittenApprovals } from './approval/written.js';
import { Admission } from './calls/admission.js';
import type { WriteCounts } from './calls/admission.js';
import { BackgroundQueue, type Background } from './calls/background.js';
import { systemClock } from './calls/deadline.js';
import type { Clock } from './calls/deadline.js';
import { WorkerSilence } from './calls/failures.js';
import { createCreationOf, type CreationOf } from './calls/once.js';
import { createRowWrites } from './calls/row-writes.js';
import { createPatient, patientQuery, type Patient } from './calls/patience.js';
import { createTemporal, temporalIn, type Temporal } from './calls/temporal.js';
import {
  createCoordinatorReads,
  createCoordinators,
  createDecisions,
} from './coordinator/coordinators.js';
import { createGraph } from './graph/graph.js';
import { createAccess, createAccessLists, createOwnReach } from './intent/access.js';
import type { Access, OwnReach } from './intent/access.js';
import { createCreation } from './intent/creation.js';
import { createErasures } from './intent/erasure.js';
import type { CreateIntent } from './intent/creation.js';
import { createEventLogs, createKnownEnd } from './intent/event-log.js';
import { createLeases } from './intent/leases.js';
import { createIntentRows } from './intent/left-rows.js';
import { createLists, createReads } from './intent/reads.js';
import type { Reads } from './intent/reads.js';
import { createEventWrites, createIntentWriter, createIntents } from './intent/writes.js';
import type { AppendEvent } from './intent/writes.js';
import { createCheckpoints } from './log/checkpoints.js';
import { createOperating } from './operating.js';
import { createPhasedPlans } from './plan/phased-plans.js';
import { createPlanWrites, createPlans, createStartPlan } from './plan/plans.js';
import type { KnowsApprovers } from './plan/plans.js';
import { createPlanReads } from './plan/reads.js';
import { createTaskCreation, createTaskWrites } from './plan/tasks.js';
import { createPortfolioCreation } from './portfolio/creation.js';
import { createPortfolioReads } from './portfolio/reads.js';
import { createPortfolios } from './portfolio/writes.js';
import { createReadiness } from './readiness.js';
import { Consistency } from './reads/consistency.js';
import { createFromStore } from './reads/from-store.js';
import type { FromStore, GatewayLog, RunQuery } from './reads/from-store.js';
import { createMemories, memoriesIn } from './reads/memories.js';
import type { Memories } from './reads/memories.js';
import { createSubscriptions } from './subscription/subscriptions.js';
import { createDiagnose } from './suspension/diagnosis.js';
import { createBulkAnswers } from './suspension/bulk.js';
import { createEligibility } from './suspension/eligibility.js';
import { createInbox, createSettlements } from './suspension/inbox.js';
import { createQuestionRows } from './suspension/question-rows.js';
import { createOpenings, createSuspensions } from './suspension/opening.js';
import { createResumes } from './suspension/resuming.js';
import { createTimelineLogs } from './suspension/timeline-log.js';
import { Outcomes, createWaits } from './suspension/waits.js';
import { createVerbs } from './suspension/verbs.js';
import { createWho, type KnowsPeople } from './suspension/who.js';
import { createWithdrawals } from './suspension/withdrawal.js';

export interface GatewayDeps extends KnowsPeople {
  readonly client: Client;
  /** Calls a query of the whole store; see `queriesOf`. */
  readonly store: RunQuery;
  /** Calls a query of what one space has of it; see `queriesIn`. */
  readonly storeIn: (space: string) => RunQuery;
  readonly config: ServerConfig;
  /** The principals of a space that have keys, none of which lets them answer; or only what was asked for them. */
  readonly agentsIn: (space: string, of?: 'others') => Pick<ReadonlySet<string>, 'has'>;
  /** They make ids from the keys of callers; see `createCreationOf`. */
  readonly idSecrets: IdSecrets;
  readonly agentStates: AgentStates;
  readonly log: GatewayLog;
  /** Does what no request waits for; whoever stops the process lets it end. Without one nobody waits for that. */
  readonly background?: Background;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted once this process is about to stop; `/ready` then says so. */
  readonly stopping?: AbortSignal;
  /** Aborted once this process takes no more connections; writes that wait then do not wait long. */
  readonly closing?: AbortSignal;
  /** Takes note of rows that this process has written to the store. */
  readonly written?: JournalWatch;
  /** Gets what tells of the writes that this process hands over to Temporal. */
  readonly showWrites?: (writes: () => WriteCounts) => void;
  /** Only tests replace it. */
  readonly clock?: Clock;
}

/**
 * Everything the routes may do. Each method throws `RefusalError` (api/errors.ts) with a code of
 * `contracts/constants/errors.ts`; nothing else is expected.
 */
export type Gateway = ReturnType<typeof createGateway>;

/** The gateway of each space. */
export type Gateways = (space: string) => Gateway;

/** So many gateways are kept, those of the spaces that called last. One takes about 45 kB. */
const MOST_GATEWAYS = 500;

/**
 * Builds the API's one way to Temporal and to the store; one per process. It has a gateway for each space, which cannot
 * name a workflow, or read a row, of another one. A gateway has no state that another of its space would miss, so one
 * that was let go is made again, and requests that still have the former one are served by it.
 */
export function createGateways(deps: GatewayDeps): Gateways {
  const { client, store, log, now, clock = systemClock(now) } = deps;
  const { stopping = new AbortController().signal } = deps;
  const workerSilence = new WorkerSilence();
  const admission = new Admission(clock, deps.config.limits.writes, deps.closing);
  deps.showWrites?.(() => admission.counts);
  const whole = {
    clock,
    temporal: createTemporal(client, clock, workerSilence, admission),
    memory: createMemories(),
    service: {
      ...createCheckpoints({
        client,
        clock,
        admission,
        fromStore: createFromStore(store, clock, log),
      }),
      ...createReadiness({ client, store, clock, workerSilence, stopping }),
    },
  };
  const gateways = new Map<string, Gateway>();
  return (space) => {
    const gateway = gateways.get(space) ?? createGateway(deps, whole, space);
    // The map keeps the space that called last at its end.
    gateways.delete(space);
    gateways.set(space, gateway);
    for (const oldest of gateways.keys()) {
      if (gateways.size <= MOST_GATEWAYS) break;
      gateways.delete(oldest);
    }
    return gateway;
  };
}

/** What all spaces share: the queues of calls, what was written, and what concerns the whole service. */
interface Whole {
  readonly clock: Clock;
  readonly temporal: Temporal;
  readonly memory: Memories;
  readonly service: ReturnType<typeof createCheckpoints> & ReturnType<typeof createReadiness>;
}

function createGateway(deps: GatewayDeps, whole: Whole, space: string) {
  const { clock, service } = whole;
  const common = createCommon(deps, whole, space);
  const { reads, consistency, fromStore, settlements, write, patient, access } = common;
  const events = createEventWrites(write, consistency);
  const patiently = { ...common, temporal: common.patientTemporal, reads: common.patientReads };
  const creation = createCreation(patiently);
  const containers = createContainers({ ...common, ...creation, ...events });
  const getPortfolio = patient(containers.getPortfolio);
  const answers = createResumes(common);
  return {
    ...reads,
    ...creation,
    ...createGraph(common),
    ...access,
    ...createAccessLists(write, reads, consistency),
    ...createIntents(write, reads, consistency, settlements, fromStore, common.unknownIn),
    ...events,
    ...createErasures(common),
    ...createLeases(write, consistency),
    ...createLists(consistency, fromStore),
    ...createSuspensions(common),
    ...createWithdrawals(common),
    ...answers,
    ...createBulkAnswers({ ...common, answers }),
    ...createEligibility(common),
    ...createVerbs({ ...common, agents: deps.agentsIn(common.space, 'others') }),
    ...createInbox(common),
    ...createWaits(reads, new Outcomes(deps.client, clock, space), clock, settlements),
    ...createApprovals({ ...common, answers, client: deps.client }),
    ...createLogs(common),
    ...createOpenings(common),
    ...containers,
    ...createSubscriptions({ ...common, ...access, getPortfolio }),
    ...createAgents(clock, fromStore),
    ...createOperating({ client: deps.client, clock, fromStore }),
    unknownApprovers: common.unknownApprovers,
    ...service,
  };
}

/** What the parts of a gateway work with. */
function createCommon(deps: GatewayDeps, { clock, memory: all, ...whole }: Whole, space: string) {
  const { config, log, background = new BackgroundQueue(deps.log) } = deps;
  const memory = memoriesIn(all, space);
  const temporal = temporalIn(whole.temporal, space);
  const fromStore = createFromStore(deps.storeIn(space), clock, log);
  const calls = { temporal, fromStore, clock, log };
  const rowWrites = createRowWrites({ ...deps, ...calls, space });
  const intentRows = createIntentRows({ temporal, rowWrites, background, log });
  const reads = createReads(temporal, fromStore, clock);
  const patient = createPatient(clock);
  const patientReads = { getIntent: patient(reads.getIntent) };
  const access = createAccess({ config, clock, reads: patientReads, fromStore });
  const ownReach = createOwnReach({ config, reads: patientReads }, access);
  return {
    creationOf: createCreationOf(deps.idSecrets),
    agentStates: deps.agentStates,
    agents: deps.agentsIn(space),
    ...createWho(deps, space),
    config,
    ...calls,
    space,
    memory,
    reads,
    patient,
    patientReads,
    access,
    ownReach,
    readNamed: ownReach.readNamed,
    patientTemporal: { ...temporal, query: patientQuery(temporal.query, patient) },
    consistency: new Consistency({ ...calls, intentRows, memory: memory.logs }),
    settlements: createSettlements({ clock, log, memory: memory.questions }, fromStore),
    writtenApprovals: createWrittenApprovals({ clock, log, memory: memory.approvals }, fromStore),
    write: createIntentWriter(temporal, reads, ownReach.demandOwn),
    questionRows: createQuestionRows({ temporal, fromStore, rowWrites, background, space }),
    intentRows,
    diagnose: createDiagnose(reads, access.judgeAccess),
  };
}

interface Deps extends KnowsApprovers {
  readonly temporal: Temporal;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly reads: Reads;
  /** Reads what a write refers to; waits longer than other reads. */
  readonly patient: Patient;
  readonly patientReads: Pick<Reads, 'getIntent'>;
  readonly patientTemporal: Temporal;
  readonly consistency: Consistency;
  readonly fromStore: FromStore;
  readonly memory: Parameters<typeof createPlanReads>[0]['memory'];
  readonly creationOf: CreationOf;
  readonly createIntent: CreateIntent;
  readonly appendEvent: AppendEvent;
  readonly access: Access;
  readonly ownReach: OwnReach;
  readonly readNamed: OwnReach['readNamed'];
}

/** The logs of intents, portfolios and questions. */
function createLogs({
  temporal,
  consistency,
  fromStore,
}: Pick<Deps, 'temporal' | 'consistency' | 'fromStore'>) {
  return {
    ...createEventLogs(createKnownEnd(temporal, consistency, fromStore), fromStore),
    ...createTimelineLogs(temporal, fromStore),
  };
}

/** What groups intents: portfolios, tasks and plans, phased plans, coordinators. */
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
