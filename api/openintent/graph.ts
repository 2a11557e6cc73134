import { LIMITS } from '../../contracts/constants/limits.js';
import { RELATIONS } from '../../contracts/graph.js';
import type { IntentGraph } from '../../contracts/graph.js';
import { refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/index.js';
import type { SecretCheck } from '../http/input.js';
import { versionOf } from './errors.js';
import { intentCreator } from './intent-writes.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { childSchema, dependencySchema } from './schemas.js';
import { wireIntent } from './wire.js';

const ALL = { limit: LIMITS.pageSize, offset: 0 };

/** A graph as the SDK parses it: of the statuses it counts those that there are. */
function wireGraph({ aggregate_status, ...graph }: IntentGraph) {
  const present = Object.entries(aggregate_status.by_status).filter(([, count]) => count > 0);
  const by_status = Object.fromEntries(present);
  return { ...graph, aggregate_status: { ...aggregate_status, by_status } };
}

/** Children, and what can be read of an intent's place in the graph (§5). */
export function graphRoutes(
  gateway: Gateway,
  refuseSecrets: SecretCheck,
): readonly OpenIntentRoute[] {
  const createIntent = intentCreator(gateway, refuseSecrets);
  const related = RELATIONS.map((relation) =>
    openIntentRoute({
      method: 'get',
      path: `/intents/:intentId/${relation}`,
      access: 'any',
      async handle({ req, id }) {
        const caller = openIntentCaller(req);
        const { value } = await gateway.listRelated(relation, id('intentId'), ALL);
        return { [relation]: value.map((intent) => wireIntent(caller, intent)) };
      },
    }),
  );
  return [
    ...related,
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/children',
      access: 'agent',
      body: childSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const child = { ...body, parent_intent_id: id('intentId') };
        return wireIntent(caller, await createIntent(caller, child));
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/graph',
      access: 'any',
      async handle({ id }) {
        return wireGraph((await gateway.intentGraph(id('intentId'))).value);
      },
    }),
  ];
}

/** What an intent depends on: added and removed under `If-Match`. */
export function dependencyRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/dependencies',
      access: 'agent',
      body: dependencySchema,
      async handle({ req, id, body: { dependency_id } }) {
        const caller = openIntentCaller(req);
        const version = versionOf(req);
        const intentId = id('intentId');
        const intent = await gateway.addDependency(caller, intentId, version, dependency_id);
        return wireIntent(caller, intent);
      },
    }),
    openIntentRoute({
      method: 'delete',
      path: '/intents/:intentId/dependencies/:other',
      access: 'agent',
      async handle({ req, id }) {
        const caller = openIntentCaller(req);
        const version = versionOf(req);
        const intentId = id('intentId');
        const other = String(req.params['other']);
        const intent = await gateway
          .removeDependency(caller, intentId, version, other)
          .catch(async (error: unknown) => {
            // What is not there is removed: this contract knows no such error.
            if (refusalOf(error)?.code !== 'dependency_not_found') throw error;
            return (await gateway.getIntent(intentId)).value;
          });
        return wireIntent(caller, intent);
      },
    }),
  ];
}
