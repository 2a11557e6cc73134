import type { Client } from '@temporalio/client';
import { defined } from '../../contracts/constants/defined.js';
import type { AgentStates } from '../../contracts/approval/requests.js';
import type { JournalWatch } from '../../contracts/log/journal.js';
import type { IdSecrets, ServerConfig } from '../../contracts/server/config.js';
import { createAccess, createOwnReach } from './access.js';
import { Admission, type WriteCounts } from './calls/admission.js';
import { BackgroundQueue, type Background } from './calls/background.js';
import { systemClock, type Clock } from './calls/deadline.js';
import { WorkerSilence } from './calls/failures.js';
import { createIntentRows, createQuestionRows } from './calls/row-hand-over.js';
import { createCreationOf } from './calls/once.js';
import { Outcomes } from './calls/outcomes.js';
import { createPatient, patientQuery } from './calls/patience.js';
import { createRowWrites } from './calls/row-writes.js';
import { createTemporal } from './calls/temporal.js';
import { createDiagnose } from './diagnosis.js';
import { createEntities } from './entities/kinds.js';
import { createIntentWriter } from './intent-writer.js';
import { Consistency, createLists, createReads } from './reads/reads.js';
import {
  Replica,
  createReadApproval,
  createSettlements,
  createWrittenApprovals,
  createWrittenHeader,
  createWrittenSubscriptions,
} from './reads/written.js';
import {
  createFromStore,
  type FromStore,
  type RunQuery,
  type WarningLog,
} from './reads/from-store.js';
import { createMemories, memoriesIn, type SpaceMemories } from './reads/write-memory.js';
import { QuestionNews, type NewsFeed } from './reads/question-news.js';
import { createSeen } from './views.js';
import { createReadiness } from './readiness.js';
import { createWho, type KnowsPeople } from './who.js';

/** Everything that a process provides for the parts. */
export interface PartsDeps extends KnowsPeople {
  readonly client: Client;
  /** A client with a connection of its own for calls that wait long; `client` by default. */
  readonly waiting?: Client;
  /** Calls a query of the whole store; see `queriesOf`. */
  readonly store: RunQuery;
  /** Calls a query of what one space has of it; see `queriesIn`. */
  readonly storeIn: (space: string) => RunQuery;
  /** The feed of the store, which wakes those who wait for questions. */
  readonly feed: NewsFeed;
  readonly config: ServerConfig;
  /**
   * The principals of a space whose keys permit no answers; with `others`, none except to what was asked on their own
   * behalf.
   */
  readonly agentsIn: (space: string, of?: 'others') => Pick<ReadonlySet<string>, 'has'>;
  /** The secrets that make ids from the keys of callers; see `createCreationOf`. */
  readonly idSecrets: IdSecrets;
  readonly agentStates: AgentStates;
  readonly log: WarningLog;
  /** Runs work that no request waits for; whoever stops the process lets it end. */
  readonly background?: Background;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted once this process is about to stop; `/ready` then says so. */
  readonly stopping?: AbortSignal;
  /** Aborted once this process takes no more connections; writes that wait then do not wait long. */
  readonly closing?: AbortSignal;
  /** Takes note of rows that this process has written to the store. */
  readonly written?: JournalWatch;
  /** Gets the function that counts the writes which this process makes to Temporal. */
  readonly showWrites?: (writes: () => WriteCounts) => void;
  /** Only tests replace it. */
  readonly clock?: Clock;
}

/** How many spaces keep their parts: those that called last. The parts of a space take about 45 kB. */
const MOST_SPACES = 500;

/**
 * Builds the API's one way to Temporal and to the store; one per process. The parts of a space reach no other space.
 * They hold no state that others would miss, so dropped parts are made again.
 */
export function createPartsOf(deps: PartsDeps): PartsOf {
  const whole = createWhole(deps);
  const kept = new Map<string, Parts>();
  return (space) => {
    const parts = kept.get(space) ?? createParts(deps, whole, space);
    // The map keeps the space that called last at its end.
    kept.delete(space);
    kept.set(space, parts);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_SPACES) break;
      kept.delete(oldest);
    }
    return parts;
  };
}

/** The parts that all spaces share: the queues of calls, and the memory of writes. */
type Whole = ReturnType<typeof createWhole>;

function createWhole(deps: PartsDeps) {
  const { client, now, clock = systemClock(now) } = deps;
  const workerSilence = new WorkerSilence();
  const admission = new Admission(clock, deps.config.limits.writes, deps.closing);
  deps.showWrites?.(() => admission.counts);
  const { store, log, stopping = new AbortController().signal } = deps;
  return {
    clock,
    admission,
    workerSilence,
    memory: createMemories(),
    replica: new Replica(),
    /** Reads what the store has of all spaces. */
    fromStore: createFromStore(store, clock, log),
    readiness: createReadiness({ client, store, clock, workerSilence, stopping }),
  };
}

/** Everything that use cases work with: the one way of a space to Temporal and to the store. */
export type Parts = ReturnType<typeof createParts>;

export type PartsOf = (space: string) => Parts;

function createParts(deps: PartsDeps, whole: Whole, space: string) {
  const { config, log, idSecrets, background = new BackgroundQueue(deps.log) } = deps;
  const { clock, replica } = whole;
  const { client, waiting = client } = deps;
  const memory = memoriesIn(whole.memory, space);
  const temporal = createTemporal(client, clock, space, whole);
  const fromStore = createFromStore(deps.storeIn(space), clock, log);
  const calls = { temporal, fromStore, clock, log };
  const rowWrites = createRowWrites({ ...deps, ...calls, space });
  const intentRows = createIntentRows({ temporal, rowWrites, background, log });
  const reads = createReads(temporal, fromStore, clock);
  const patient = createPatient(clock);
  const patientReads = { getIntent: patient(reads.getIntent) };
  const access = createAccess({ config, clock, reads: patientReads, fromStore });
  const ownReach = createOwnReach({ config, reads: patientReads }, access);
  const patientTemporal = { ...temporal, query: patientQuery(temporal.query, patient) };
  const consistency = new Consistency({ ...calls, intentRows, memory: memory.logs });
  const { feed, closing } = deps;
  const ask = reads.getSuspension;
  const news = new QuestionNews({ feed, space, fromStore, clock, ask, ...defined({ closing }) });
  const storeWrites = createStoreWrites(calls, memory, (id) => news.settledHere(id));
  const catchUp = () =>
    Promise.allSettled([storeWrites.settlements.catchUp(), consistency.catchUpAll()]);
  return {
    client,
    waiting,
    whole,
    creationOf: createCreationOf(idSecrets),
    agentStates: deps.agentStates,
    agents: deps.agentsIn(space),
    /** Principals that never answer for others: they have keys, none of which lets them. */
    mute: deps.agentsIn(space, 'others'),
    ...createWho(deps, space),
    config,
    ...calls,
    space,
    memory,
    writtenHeader: createWrittenHeader({ idSecrets, clock, space, memory, replica, catchUp }),
    reads,
    readApproval: createReadApproval(temporal, fromStore),
    patient,
    patientReads,
    access,
    ownReach,
    readNamed: ownReach.readNamed,
    patientTemporal,
    consistency,
    lists: createLists(consistency, fromStore),
    ...createEntities({ ...calls, memory, consistency, patient, patientTemporal, reads }),
    ...storeWrites,
    news,
    write: createIntentWriter(temporal, reads, ownReach.demandOwn),
    /** Notes that somebody for whom a question waits has seen it. */
    seen: createSeen({ fromStore, background, clock, space }),
    questionRows: createQuestionRows({ temporal, fromStore, rowWrites, background, space }),
    intentRows,
    outcomes: new Outcomes(waiting, clock, space),
    diagnose: createDiagnose(reads, access.judgeAccess),
  };
}

/** Builds the memory of writes to things without a log, for lists. */
function createStoreWrites(
  { clock, log, fromStore }: { clock: Clock; log: WarningLog; fromStore: FromStore },
  { questions, approvals, subscriptions }: SpaceMemories,
  onSettled: (id: string) => void,
) {
  const deps = { clock, log };
  return {
    settlements: createSettlements({ ...deps, memory: questions }, fromStore, onSettled),
    writtenApprovals: createWrittenApprovals({ ...deps, memory: approvals }, fromStore),
    writtenSubscriptions: createWrittenSubscriptions({ ...deps, memory: subscriptions }, fromStore),
  };
}
