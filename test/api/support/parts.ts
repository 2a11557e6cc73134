import type { IntentInput } from '../../../workflows/intent/messages.js';
import { createPartsOf, type Parts, type PartsDeps } from '../../../api/parts/index.js';
import type { RunQuery } from '../../../api/parts/reads/from-store.js';
import type { Call } from '../../../api/usecases/usecase.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { createAgentStates } from '../../../runtime/agent-state.js';
import { FakeFeed } from './fake-feed.js';
import {
  ManualClock,
  callerOf,
  fakeClient,
  fakeStore,
  silent,
  type FakeCall,
  type FakeQueries,
  type Handler,
  type StoreCall,
} from './fakes.js';

export interface Fakes {
  /** What Temporal answers to starts, Updates, Queries and Signals; unexpected calls fail. */
  readonly temporal?: Parameters<typeof fakeClient>[0];
  /** The same for single Updates, Queries and Signals, by the name of the message, where `temporal` has no handler. */
  readonly answers?: Answers;
  /** What the store answers to queries, by their names; it knows nothing else. */
  readonly store?: FakeQueries;
  /** The configuration, as a file would have it. */
  readonly config?: unknown;
  readonly clock?: ManualClock;
  readonly space?: string;
  /** What else a process brings along. */
  readonly deps?: Partial<PartsDeps>;
  /** Parts that stand in for those over the fakes. */
  readonly instead?: Partial<Parts>;
}

/** What workflows answer to messages, by their names. */
export type Answers = Readonly<Record<string, Handler>>;

/** The workflow of an intent that answers with it. */
export const knowingIntent = (intent: Intent): Answers => ({
  intent: () => ({ intent, last_sequence: 1 }),
});

/** The first task of an intent, which leaves no rows. */
export const begun: Handler = ({ startedWith }) => {
  const [{ intent, creation_hash }] = startedWith as readonly [IntentInput];
  return { intent, creation_hash, rows: [] };
};

/** The handlers of a Temporal whose workflows answer single messages. */
function answering(answers: Answers) {
  const all: Answers = { created: begun, ...answers };
  const handler: Handler = (call) => {
    const answer = all[call.name];
    if (answer === undefined) throw new Error(`unexpected call ${call.name}`);
    return answer(call);
  };
  return { update: handler, query: handler, signal: handler };
}

/** The parts of a space over a Temporal and a store that answer as they are told, with the calls that both got. */
export function fakeParts(fakes: Fakes = {}): {
  readonly parts: Parts;
  readonly calls: FakeCall[];
  readonly asked: StoreCall[];
} {
  const { temporal = {}, answers = {}, config = {}, clock = new ManualClock() } = fakes;
  const { client, calls } = fakeClient({ ...answering(answers), ...temporal });
  const asked: StoreCall[] = [];
  const store = fakeStore(fakes.store, asked);
  const partsOf = createPartsOf({
    client,
    store,
    storeIn: () => store,
    feed: new FakeFeed(),
    config: serverConfigSchema.parse(config),
    agentsIn: () => new Set(),
    idSecrets: ['a secret for the ids of the tests'],
    agentStates: createAgentStates([]),
    log: silent,
    now: () => clock.now(),
    clock,
    ...fakes.deps,
  });
  const parts = { ...partsOf(fakes.space ?? DEFAULT_SPACE), ...fakes.instead };
  return { parts, calls, asked };
}

/** A call over one store, by somebody who may do everything; there is no Temporal. */
export function callOver(store: RunQuery): Call {
  const { parts } = fakeParts({ deps: { store, storeIn: () => store } });
  return { caller: callerOf('root', 'admin'), parts };
}
