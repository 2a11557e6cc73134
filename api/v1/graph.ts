import { z } from 'zod';
import {
  aggregateStatusSchema,
  intentGraphSchema,
  type Relation,
} from '../../contracts/graph/graph.js';
import {
  createChildRequestSchema,
  dependencyRequestSchema,
  intentSchema,
  intentSummarySchema,
} from '../../contracts/intent/intent.js';
import { jsonOf } from '../http/input.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import {
  addDependency,
  listChildren,
  listRelated,
  readGraph,
  removeDependency,
} from '../usecases/graph/graph.js';
import { createIntent } from '../usecases/intent/create.js';
import { NEXT, PAGE, READ, VERSIONED, VERSIONED_CREATED, nextOf } from './replies.js';
import { v1Route, type Route } from './route.js';

const intentsSchema = z.array(intentSummarySchema).readonly();
const childrenSchema = z.object({
  children: intentsSchema,
  aggregate_status: aggregateStatusSchema.describe('Of all children, those of other pages too.'),
  ...NEXT,
});
const WRITTEN = VERSIONED.declare('The dependent, one version on.', intentSchema);

function relatedRoute(relation: Exclude<Relation, 'children'>, id: string, summary: string): Route {
  return v1Route(listRelated, `GET /intents/:intentId/${relation}`, {
    id,
    summary,
    query: pageSchema,
    replies: PAGE.declare(relation, intentSummarySchema, 'A page of them, in summary.'),
    handle: async ({ run, params: { intentId }, query }) =>
      PAGE.reply(relation, await run(relation, intentId, query), query),
  });
}

/** The children of an intent, its place in the graph, and its dependencies (RFC-0002). */
export const GRAPH_ROUTES: readonly Route[] = [
  v1Route(createIntent, 'POST /intents/:intentId/children', {
    id: 'createChild',
    summary: 'Creates an intent as a child of this one',
    headers: ['Idempotency-Key'],
    body: jsonOf(createChildRequestSchema),
    replies: VERSIONED_CREATED.declare('The child.', intentSchema),
    async handle({ run, params, body, headers }) {
      const request = { ...body, parent_intent_id: params.intentId };
      const intent = await run(request, headers['Idempotency-Key']);
      return VERSIONED_CREATED.reply(intent, `/v1/intents/${intent.id}`);
    },
  }),
  v1Route(listChildren, 'GET /intents/:intentId/children', {
    summary: 'Lists the children, oldest first, and how many are in which status',
    query: pageSchema,
    replies: READ.declare('A page of the children.', childrenSchema),
    async handle({ run, params, query }) {
      const { children, aggregate_status } = await run(params.intentId, query);
      const body = { children: children.value, aggregate_status, ...nextOf(children, query) };
      return reply(200, body, staleness(children));
    },
  }),
  relatedRoute('descendants', 'listDescendants', 'Lists children, their children and so on'),
  relatedRoute('ancestors', 'listAncestors', 'Lists parent, its parent and so on'),
  relatedRoute('dependencies', 'listDependencies', 'Lists what the intent depends on'),
  relatedRoute('dependents', 'listDependents', 'Lists what depends on the intent'),
  relatedRoute('ready', 'listReady', 'Lists the children that wait for no dependency'),
  relatedRoute('blocked', 'listBlocked', 'Lists the children with incomplete dependencies'),
  v1Route(readGraph, 'GET /intents/:intentId/graph', {
    summary: 'Reads the intent with all its descendants as nodes and edges',
    replies: READ.declare('The graph.', intentGraphSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.intentId)),
  }),
  v1Route(addDependency, 'POST /intents/:intentId/dependencies', {
    summary: 'Lets the intent depend on another; a cycle is refused with its path',
    headers: ['If-Match'],
    body: jsonOf(dependencyRequestSchema),
    keyed: true,
    replies: WRITTEN,
    handle: async ({ run, params, headers, body: { dependency_id } }) =>
      VERSIONED.reply(await run(params.intentId, headers['If-Match'], dependency_id)),
  }),
  v1Route(removeDependency, 'DELETE /intents/:intentId/dependencies/:dependencyId', {
    summary: 'Lets the intent no longer depend on another',
    headers: ['If-Match'],
    keyed: true,
    replies: WRITTEN,
    handle: async ({ run, params: { intentId, dependencyId }, headers }) =>
      VERSIONED.reply(await run(intentId, headers['If-Match'], dependencyId)),
  }),
];
