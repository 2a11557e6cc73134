import type { Client } from '@temporalio/client';
import type { ServerConfig } from '../../contracts/config.js';
import { createDeliver } from './answer-doors.js';
import { createAgents } from './agents.js';
import { createAnswers } from './answers.js';
import { systemClock, type Clock } from './clock.js';
import { createContainers } from './containers.js';
import { Consistency } from './consistency.js';
import { createCreation } from './creation.js';
import { createDiagnose } from './diagnosis.js';
import { Gate } from './gate.js';
import { createGraph } from './graph.js';
import { createInbox } from './inbox.js';
import { createEventLogs } from './event-logs.js';
import { createIntentWriter } from './intent-writer.js';
import { createIntents } from './intents.js';
import { createLeases } from './leases.js';
import { createLists } from './lists.js';
import { createKnownEnd } from './log-end.js';
import { createOpenings } from './openings.js';
import { Outcomes } from './outcomes.js';
import { createPatient, patientAsk } from './patient-reads.js';
import { createAsk } from './queries.js';
import { createReadiness } from './readiness.js';
import { createReads } from './reads.js';
import { createRepeated } from './repeated-answers.js';
import { Settlements } from './settlements.js';
import { createStart } from './starts.js';
import { createFromStore, type GatewayLog, type StoreReads } from './store-reads.js';
import { createSubscriptions } from './subscriptions.js';
import { createSuspensions } from './suspensions.js';
import type { Gateway } from './types.js';
import { Unanswered } from './unanswered.js';
import { createUpdates } from './updates.js';
import { createWaits } from './waits.js';
import { createWithdrawals } from './withdrawals.js';

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
  const unanswered = new Unanswered();
  const ask = createAsk(client, clock, unanswered);
  const updates = createUpdates(client, clock, new Gate(), unanswered);
  const reads = createReads(ask, fromStore);
  const consistency = new Consistency({ ask, fromStore, clock, log });
  const settlements = new Settlements(clock, fromStore);
  const deliver = createDeliver(client, clock, updates);
  const diagnose = createDiagnose(reads);
  const repeated = createRepeated({ fromStore, settlements, diagnose });
  const write = createIntentWriter(updates, reads);
  const start = createStart(client, clock);
  const patient = createPatient(clock);
  const namedReads = { getIntent: patient((id) => reads.getIntent(id)) };
  const askPatiently = patientAsk(ask, clock);
  const creation = createCreation({
    ...{ start, write, clock, consistency },
    ...{ ask: askPatiently, reads: namedReads },
  });
  const intents = createIntents(write, reads, consistency, settlements);
  const containers = createContainers({
    ...{ start, updates, ask, clock, reads, consistency, fromStore },
    ...{ patient, namedReads, askPatiently },
    ...{ createIntent: creation.createIntent, appendEvent: intents.appendEvent },
  });
  return {
    ...reads,
    ...creation,
    ...createGraph({ write, reads, namedReads, consistency, fromStore }),
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
      ...{ client, config, clock, start, ask, fromStore },
      ...{ reads: namedReads, getPortfolio: patient((id) => containers.getPortfolio(id)) },
    }),
    ...createAgents(clock, fromStore),
    ...createReadiness(client, store, clock, unanswered),
  };
}
