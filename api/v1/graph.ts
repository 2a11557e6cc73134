import { z } from 'zod';
import { aggregateStatusSchema, intentGraphSchema } from '../../contracts/graph.js';
import type { Relation } from '../../contracts/graph.js';
import {
  createChildRequestSchema,
  dependencyRequestSchema,
  intentSchema,
} from '../../contracts/intent.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { pageSchema } from '../http/queries.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { intentFor } from '../http/visibility.js';
import { EXAMPLES, EXAMPLE_IDS } from '../openapi/examples.js';
import { CREATION_ERRORS } from './intents.js';

const READ_ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const CHILDREN = '/intents/:intentId/children';
const intentsSchema = z.array(intentSchema).readonly();
const childrenSchema = z.object({
  children: intentsSchema,
  aggregate_status: aggregateStatusSchema.describe('Of all children, those of other pages too.'),
});

function createChildRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'post',
    path: CHILDREN,
    id: 'createChild',
    access: 'agent',
    summary: 'Creates an intent as a child of this one',
    headers: ['Idempotency-Key'],
    body: jsonOf(createChildRequestSchema, { title: EXAMPLES.intent.title, status: 'active' }),
    replies: {
      201: {
        description: 'The child.',
        body: intentSchema,
        example: EXAMPLES.intent,
        headers: ['ETag', 'Location'],
      },
    },
    errors: CREATION_ERRORS,
    async handle({ req, params, body, headers }) {
      const caller = callerOf(req);
      const request = { ...body, parent_intent_id: params.intentId };
      const intent = await gateway.createIntent(caller, request, headers['Idempotency-Key']);
      const located = { ...versionTag(intent), Location: `/v1/intents/${intent.id}` };
      return reply(201, intentFor(caller, intent), located);
    },
  });
}

function childrenRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'get',
    path: CHILDREN,
    id: 'listChildren',
    access: 'any',
    summary: 'Lists the children, oldest first, and how many are in which status',
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of the children.',
        body: childrenSchema,
        example: { children: [EXAMPLES.intent], aggregate_status: EXAMPLES.graph.aggregate_status },
        headers: ['Holdpoint-Stale'],
      },
    },
    errors: READ_ERRORS,
    async handle({ req, params: { intentId }, query }) {
      const read = await gateway.listRelated('children', intentId, query);
      const { value: aggregate_status } = await gateway.childrenStatus(intentId);
      const children = read.value.map((intent) => intentFor(callerOf(req), intent));
      return reply(200, { children, aggregate_status }, staleness(read));
    },
  });
}

function relatedRoute(
  gateway: Gateway,
  relation: Exclude<Relation, 'children'>,
  id: string,
  summary: string,
): Route {
  return defineRoute({
    method: 'get',
    path: `/intents/:intentId/${relation}`,
    id,
    access: 'any',
    summary,
    query: pageSchema,
    replies: {
      200: {
        description: 'A page of them.',
        body: z.object({ [relation]: intentsSchema }),
        example: { [relation]: [EXAMPLES.intent] },
        headers: ['Holdpoint-Stale'],
      },
    },
    errors: READ_ERRORS,
    async handle({ req, params: { intentId }, query }) {
      const read = await gateway.listRelated(relation, intentId, query);
      const intents = read.value.map((intent) => intentFor(callerOf(req), intent));
      return reply(200, { [relation]: intents }, staleness(read));
    },
  });
}

function graphRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'get',
    path: '/intents/:intentId/graph',
    id: 'readGraph',
    access: 'any',
    summary: 'Reads the intent with all its descendants as nodes and edges',
    replies: {
      200: {
        description: 'The graph.',
        body: intentGraphSchema,
        example: EXAMPLES.graph,
        headers: ['Holdpoint-Stale'],
      },
    },
    errors: READ_ERRORS,
    async handle({ params: { intentId } }) {
      const read = await gateway.intentGraph(intentId);
      return reply(200, read.value, staleness(read));
    },
  });
}

/** Children of an intent, and all that can be read of its place in the graph (RFC-0002). */
export function graphRoutes(gateway: Gateway): readonly Route[] {
  const related = (relation: Exclude<Relation, 'children'>, id: string, summary: string): Route =>
    relatedRoute(gateway, relation, id, summary);
  return [
    createChildRoute(gateway),
    childrenRoute(gateway),
    related('descendants', 'listDescendants', 'Lists children, their children and so on'),
    related('ancestors', 'listAncestors', 'Lists parent, its parent and so on'),
    related('dependencies', 'listDependencies', 'Lists what the intent depends on'),
    related('dependents', 'listDependents', 'Lists what depends on the intent'),
    related('ready', 'listReady', 'Lists the children that wait for no dependency'),
    related('blocked', 'listBlocked', 'Lists the children with incomplete dependencies'),
    graphRoute(gateway),
  ];
}

const WRITTEN = {
  200: {
    description: 'The dependent, one version on.',
    body: intentSchema,
    example: EXAMPLES.intent,
    headers: ['ETag'],
  },
} as const;
const WRITE_ERRORS = [
  'intent_not_found',
  'version_conflict',
  'intent_closed',
  'moving',
  'workflow_unavailable',
  'store_unavailable',
] as const;
const DEPENDENCIES = '/intents/:intentId/dependencies';
const DEPENDENCY = '/intents/:intentId/dependencies/:dependencyId';

/** `POST` and `DELETE` of what an intent depends on: versioned writes that need `If-Match`. */
export function dependencyRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: DEPENDENCIES,
      id: 'addDependency',
      access: 'agent',
      summary: 'Lets the intent depend on another; a cycle is refused with its path',
      headers: ['If-Match'],
      body: jsonOf(dependencyRequestSchema, { dependency_id: EXAMPLE_IDS.dependencyId }),
      replies: WRITTEN,
      errors: ['dependency_cycle', 'dependency_exists', 'too_many_dependencies', ...WRITE_ERRORS],
      async handle({ req, params: { intentId }, headers, body: { dependency_id } }) {
        const caller = callerOf(req);
        const version = headers['If-Match'];
        const intent = await gateway.addDependency(caller, intentId, version, dependency_id);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
    defineRoute({
      method: 'delete',
      path: DEPENDENCY,
      id: 'removeDependency',
      access: 'agent',
      summary: 'Lets the intent no longer depend on another',
      headers: ['If-Match'],
      replies: WRITTEN,
      errors: WRITE_ERRORS,
      async handle({ req, params: { intentId, dependencyId }, headers }) {
        const caller = callerOf(req);
        const version = headers['If-Match'];
        const intent = await gateway.removeDependency(caller, intentId, version, dependencyId);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
  ];
}
