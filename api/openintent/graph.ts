import { LIMITS } from '../../contracts/constants/limits.js';
import { RELATIONS, type IntentGraph } from '../../contracts/graph/graph.js';
import { refusalOf } from '../errors.js';
import { runFor, type Binding } from '../http/route.js';
import {
  addDependency,
  listRelated,
  readGraph,
  removeDependency,
} from '../usecases/graph/graph.js';
import { createIntent } from '../usecases/intent/create.js';
import { getIntent } from '../usecases/intent/read.js';
import { wholeEntriesOf, openIntentRoute } from './route.js';
import { childSchema, dependencySchema } from './schemas.js';
import { wireIntent } from './wire.js';

const ALL = { limit: LIMITS.pageSize, offset: 0, whole: true };

/** Returns a graph as the SDK parses it: without statuses that no intent has. */
function wireGraph({ aggregate_status, ...graph }: IntentGraph) {
  const present = Object.entries(aggregate_status.by_status).filter(([, count]) => count > 0);
  const by_status = Object.fromEntries(present);
  return { ...graph, aggregate_status: { ...aggregate_status, by_status } };
}

const RELATED_ROUTES = RELATIONS.map((relation) =>
  openIntentRoute(listRelated, `GET /intents/:intentId/${relation}`, {
    async handle({ run, id }) {
      const relatives = wholeEntriesOf(await run(relation, id('intentId'), ALL), ALL);
      return { [relation]: relatives.map(wireIntent) };
    },
  }),
);

export const GRAPH_ROUTES: readonly Binding[] = [
  ...RELATED_ROUTES,
  openIntentRoute(createIntent, 'POST /intents/:intentId/children', {
    body: childSchema,
    handle: async ({ run, id, body }) =>
      wireIntent(await run({ ...body, parent_intent_id: id('intentId') })),
  }),
  openIntentRoute(readGraph, 'GET /intents/:intentId/graph', {
    handle: async ({ run, id }) => wireGraph((await run(id('intentId'))).value),
  }),
  openIntentRoute(addDependency, 'POST /intents/:intentId/dependencies', {
    body: dependencySchema,
    ifMatch: 400,
    handle: async ({ run, id, version, body: { dependency_id } }) =>
      wireIntent(await run(id('intentId'), version, dependency_id)),
  }),
  openIntentRoute(removeDependency, 'DELETE /intents/:intentId/dependencies/:other', {
    ifMatch: 400,
    async handle({ run, call, id, version }) {
      const intentId = id('intentId');
      const intent = await run(intentId, version, id('other')).catch(async (error: unknown) => {
        // A missing dependency counts as removed: the OpenIntent protocol has no such error.
        if (refusalOf(error)?.code !== 'dependency_not_found') throw error;
        return (await runFor(call, getIntent)(intentId)).value;
      });
      return wireIntent(intent);
    },
  }),
];
