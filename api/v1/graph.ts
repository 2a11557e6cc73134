import { z } from 'zod';
import { aggregateStatusSchema, intentGraphSchema } from '../../contracts/graph.js';
import type { Relation } from '../../contracts/graph.js';
import {
  createChildRequestSchema,
  dependencyRequestSchema,
  intentSchema,
} from '../../contracts/intent.js';
import { jsonOf } from '../http/input.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { GRAPH, INTENTS } from '../operations/intent.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const intentsSchema = z.array(intentSchema).readonly();
const childrenSchema = z.object({
  children: intentsSchema,
  aggregate_status: aggregateStatusSchema.describe('Of all children, those of other pages too.'),
});
const WRITTEN = {
  200: { description: 'The dependent, one version on.', body: intentSchema, headers: ['ETag'] },
} as const;

function relatedRoute(relation: Exclude<Relation, 'children'>, id: string, summary: string): Route {
  return v1Route(GRAPH.listRelated, {
    method: 'get',
    path: `/intents/:intentId/${relation}`,
    id,
    summary,
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of them.',
        body: z.object({ [relation]: intentsSchema }),
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params: { intentId }, query }) {
      const read = await run(relation, intentId, query);
      return reply(200, { [relation]: read.value }, staleness(read));
    },
  });
}

/** Children of an intent, what can be read of its place in the graph, and what it depends on (RFC-0002). */
export const GRAPH_ROUTES: readonly Route[] = [
  v1Route(INTENTS.createIntent, {
    method: 'post',
    path: '/intents/:intentId/children',
    id: 'createChild',
    summary: 'Creates an intent as a child of this one',
    headers: ['Idempotency-Key'],
    body: jsonOf(createChildRequestSchema),
    replies: {
      201: { description: 'The child.', body: intentSchema, headers: ['ETag', 'Location'] },
    },
    async handle({ run, params, body, headers }) {
      const request = { ...body, parent_intent_id: params.intentId };
      const intent = await run(request, headers['Idempotency-Key']);
      return reply(201, intent, { ...versionTag(intent), Location: `/v1/intents/${intent.id}` });
    },
  }),
  v1Route(GRAPH.listChildren, {
    method: 'get',
    path: '/intents/:intentId/children',
    summary: 'Lists the children, oldest first, and how many are in which status',
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of the children.',
        body: childrenSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params, query }) {
      const { children, aggregate_status } = await run(params.intentId, query);
      return reply(200, { children: children.value, aggregate_status }, staleness(children));
    },
  }),
  relatedRoute('descendants', 'listDescendants', 'Lists children, their children and so on'),
  relatedRoute('ancestors', 'listAncestors', 'Lists parent, its parent and so on'),
  relatedRoute('dependencies', 'listDependencies', 'Lists what the intent depends on'),
  relatedRoute('dependents', 'listDependents', 'Lists what depends on the intent'),
  relatedRoute('ready', 'listReady', 'Lists the children that wait for no dependency'),
  relatedRoute('blocked', 'listBlocked', 'Lists the children with incomplete dependencies'),
  v1Route(GRAPH.readGraph, {
    method: 'get',
    path: '/intents/:intentId/graph',
    summary: 'Reads the intent with all its descendants as nodes and edges',
    replies: {
      200: {
        description: 'The graph.',
        body: intentGraphSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params }) {
      const read = await run(params.intentId);
      return reply(200, read.value, staleness(read));
    },
  }),
  v1Route(GRAPH.addDependency, {
    method: 'post',
    path: '/intents/:intentId/dependencies',
    summary: 'Lets the intent depend on another; a cycle is refused with its path',
    headers: ['If-Match'],
    body: jsonOf(dependencyRequestSchema),
    replies: WRITTEN,
    async handle({ run, params, headers, body: { dependency_id } }) {
      const intent = await run(params.intentId, headers['If-Match'], dependency_id);
      return reply(200, intent, versionTag(intent));
    },
  }),
  v1Route(GRAPH.removeDependency, {
    method: 'delete',
    path: '/intents/:intentId/dependencies/:dependencyId',
    summary: 'Lets the intent no longer depend on another',
    headers: ['If-Match'],
    replies: WRITTEN,
    async handle({ run, params: { intentId, dependencyId }, headers }) {
      const intent = await run(intentId, headers['If-Match'], dependencyId);
      return reply(200, intent, versionTag(intent));
    },
  }),
];
