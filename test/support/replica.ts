import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../api/app.js';
import { systemClock } from '../../api/parts/calls/deadline.js';
import { createPartsOf, type PartsDeps } from '../../api/parts/index.js';
import { queriesIn, queriesOf } from '../../api/parts/reads/from-store.js';
import { IDLE_MS } from '../../api/server.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { createSignIn } from '../../api/sign-in/sign-in.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type { ApiKey } from '../../contracts/people/api-key.js';
import { createAgentStates } from '../../runtime/agent-state.js';
import { silent } from '../api/support/fakes.js';
import { feedOf } from './events.js';
import { withCheckedReplies } from './openapi.js';
import { ID_SECRET, KEYS, type RealStack } from './real-stack.js';

/** Another API process over the store and the Temporal of a stack. */
export interface Replica {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a replica of a stack's API.
 *
 * @param looked - called with the name of each query of the store, once it has its result
 * @param clock - the machine's, with the limits of production, unless given
 */
export async function startReplica(
  { client, store }: Pick<RealStack, 'client' | 'store'>,
  looked: (query: string) => void = () => undefined,
  clock: PartsDeps['clock'] = systemClock(Date.now),
): Promise<Replica> {
  const ring = new KeyRing(
    Object.values(KEYS).map((key: ApiKey) => ({ ...key, roles: [...key.roles] })),
  );
  const config = serverConfigSchema.parse({});
  const closing = new AbortController();
  const feed = feedOf(store);
  const partsOf = createPartsOf({
    client,
    agentStates: createAgentStates([]),
    agentsIn: (...of) => ring.agentsIn(...of),
    idSecrets: [ID_SECRET],
    store: queriesOf(store.db),
    storeIn: (space) => {
      const run = queriesIn(store.db, space);
      return async (query, ...args) => {
        const found = await run(query, ...args);
        looked(query.name);
        return found;
      };
    },
    feed,
    config,
    log: silent,
    now: Date.now,
    clock,
    closing: closing.signal,
  });
  const app = createApp({
    partsOf,
    feed,
    signIn: createSignIn(ring),
    config,
    log: pino({ level: 'silent' }),
  });
  const server = createServer({ keepAliveTimeout: IDLE_MS }, withCheckedReplies(app));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

/**
 * Returns the `fetch` of a client whose requests go to the replicas in turn, as a proxy without affinity sends them, and the headers of
 * the replies, the newest last.
 *
 * @param urls - the replicas; the client itself is made for the first one
 */
export function inTurn(urls: readonly [string, ...string[]]) {
  const replies: Headers[] = [];
  let sent = 0;
  const fetchInTurn = async (url: string, init: RequestInit): Promise<Response> => {
    const to = urls[sent % urls.length] ?? urls[0];
    sent += 1;
    const reply = await fetch(url.replace(urls[0], to), init);
    replies.push(reply.headers);
    return reply;
  };
  return { fetch: fetchInTurn, replies };
}
