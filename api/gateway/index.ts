import type { Client } from '@temporalio/client';
import type { ServerConfig } from '../../contracts/config.js';
import { createAgents } from './agent/agents.js';
import { systemClock } from './calls/deadline.js';
import type { Clock } from './calls/deadline.js';
import { WorkerSilence } from './calls/failures.js';
import { createPatient, patientQuery } from './calls/patience.js';
import { createTemporal } from './calls/temporal.js';
import { createContainers } from './containers.js';
import { createGraph } from './graph/graph.js';
import { createCreation } from './intent/creation.js';
import { createEventLogs, createKnownEnd } from './intent/event-log.js';
import { createLeases } from './intent/leases.js';
import { createLists, createReads } from './intent/reads.js';
import { createEventWrites, createIntentWriter, createIntents } from './intent/writes.js';
import { createReadiness } from './readiness.js';
import { Consistency } from './reads/consistency.js';
import { createFromStore } from './reads/from-store.js';
import type { GatewayLog, RunQuery } from './reads/from-store.js';
import { createSubscriptions } from './subscription/subscriptions.js';
import { createAnswers, createDeliver, createRepeated } from './suspension/answers.js';
import { createDiagnose } from './suspension/diagnosis.js';
import { createInbox, createSettlements } from './suspension/inbox.js';
import { createOpenings, createSuspensions } from './suspension/opening.js';
import { Outcomes, createWaits } from './suspension/waits.js';
import { createWithdrawals } from './suspension/withdrawal.js';

export interface GatewayDeps {
  readonly client: Client;
  /** Calls a query of the store; `queriesOf` makes it of a database. */
  readonly store: RunQuery;
  readonly config: ServerConfig;
  readonly log: GatewayLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Only tests replace it. */
  readonly clock?: Clock;
}

/**
 * Everything the routes may do. Each method throws `RefusalError` (api/errors.ts) with a code of
 * `contracts/constants/errors.ts`; nothing else is expected.
 */
export type Gateway = ReturnType<typeof createGateway>;

/** Puts the API's one way to Temporal and to the store together; one per process. */
export function createGateway(deps: GatewayDeps) {
  const { client, store, config, log, now, clock = systemClock(now) } = deps;
  const workerSilence = new WorkerSilence();
  const temporal = createTemporal(client, clock, workerSilence);
  const fromStore = createFromStore(store, clock, log);
  const reads = createReads(temporal, fromStore);
  const consistency = new Consistency({ temporal, fromStore, clock, log });
  const settlements = createSettlements({ clock, log }, fromStore);
  const diagnose = createDiagnose(reads);
  const write = createIntentWriter(temporal, reads);
  const patient = createPatient(clock);
  const common = {
    config,
    clock,
    log,
    temporal,
    fromStore,
    reads,
    patient,
    patientReads: { getIntent: patient(reads.getIntent) },
    patientTemporal: { ...temporal, query: patientQuery(temporal.query, patient) },
    consistency,
    settlements,
    write,
    diagnose,
  };
  const events = createEventWrites(write, consistency);
  const creation = createCreation({
    ...common,
    temporal: common.patientTemporal,
    reads: common.patientReads,
  });
  const containers = createContainers({ ...common, ...creation, ...events });
  const getPortfolio = patient(containers.getPortfolio);
  const deliver = createDeliver(temporal);
  const repeated = createRepeated(common);
  return {
    ...reads,
    ...creation,
    ...createGraph(common),
    ...createIntents(write, reads, consistency, settlements),
    ...events,
    ...createLeases(write, consistency),
    ...createLists(consistency, fromStore),
    ...createSuspensions(common),
    ...createWithdrawals(common),
    ...createAnswers({ ...common, deliver, repeated }),
    ...createInbox(common),
    ...createWaits(reads, new Outcomes(client, clock), clock, settlements),
    ...createEventLogs(createKnownEnd(temporal, consistency, fromStore), fromStore),
    ...createOpenings(common),
    ...containers,
    ...createSubscriptions({ ...common, reads: common.patientReads, getPortfolio }),
    ...createAgents(clock, fromStore),
    ...createReadiness(client, store, clock, workerSilence),
  };
}
