import { LIMITS } from '../../contracts/constants/limits.js';
import { RELATIONS } from '../../contracts/graph.js';
import type { IntentGraph } from '../../contracts/graph.js';
import { refusalOf } from '../errors.js';
import { runFor } from '../http/route.js';
import type { Binding } from '../http/route.js';
import { GRAPH, INTENTS } from '../operations/intent.js';
import { wholeEntriesOf, openIntentRoute } from './route.js';
import { childSchema, dependencySchema } from './schemas.js';
import { wireIntent } from './wire.js';

const ALL = { limit: LIMITS.pageSize, offset: 0, whole: true };

/** A graph as the SDK parses it: of the statuses it counts those that there are. */
function wireGraph({ aggregate_status, ...graph }: IntentGraph) {
  const present = Object.entries(aggregate_status.by_status).filter(([, count]) => count > 0);
  const by_status = Object.fromEntries(present);
  return { ...graph, aggregate_status: { ...aggregate_status, by_status } };
}

const RELATED_ROUTES = RELATIONS.map((relation) =>
  openIntentRoute(GRAPH.listRelated, {
    method: 'get',
    path: `/intents/:intentId/${relation}`,
    async handle({ run, id }) {
      const relatives = wholeEntriesOf(await run(relation, id('intentId'), ALL), ALL);
      return { [relation]: relatives.map(wireIntent) };
    },
  }),
);

/** Children, what can be read of an intent's place in the graph, and what it depends on. */
export const GRAPH_ROUTES: readonly Binding[] = [
  ...RELATED_ROUTES,
  openIntentRoute(INTENTS.createIntent, {
    method: 'post',
    path: '/intents/:intentId/children',
    body: childSchema,
    handle: async ({ run, id, body }) =>
      wireIntent(await run({ ...body, parent_intent_id: id('intentId') })),
  }),
  openIntentRoute(GRAPH.readGraph, {
    method: 'get',
    path: '/intents/:intentId/graph',
    handle: async ({ run, id }) => wireGraph((await run(id('intentId'))).value),
  }),
  openIntentRoute(GRAPH.addDependency, {
    method: 'post',
    path: '/intents/:intentId/dependencies',
    body: dependencySchema,
    ifMatch: 400,
    handle: async ({ run, id, version, body: { dependency_id } }) =>
      wireIntent(await run(id('intentId'), version, dependency_id)),
  }),
  openIntentRoute(GRAPH.removeDependency, {
    method: 'delete',
    path: '/intents/:intentId/dependencies/:other',
    ifMatch: 400,
    async handle({ run, call, id, version }) {
      const intentId = id('intentId');
      const intent = await run(intentId, version, id('other')).catch(async (error: unknown) => {
        // What is not there counts as removed: the OpenIntent protocol has no such error.
        if (refusalOf(error)?.code !== 'dependency_not_found') throw error;
        return (await runFor(call, INTENTS.getIntent)(intentId)).value;
      });
      return wireIntent(intent);
    },
  }),
];
