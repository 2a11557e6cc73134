import { dependencyRequestSchema, intentSchema } from '../../contracts/intent.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { intentFor } from '../http/mask.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLE_IDS, EXAMPLES } from '../openapi/examples.js';
import { versionTag } from './intent-reply.js';

const WRITTEN = {
  200: {
    description: 'The dependent, one version on.',
    body: intentSchema,
    example: EXAMPLES.intent,
    headers: ['ETag'],
  },
} as const;
const WRITE_ERRORS = [
  ...(['intent_not_found', 'version_conflict', 'intent_closed', 'moving'] as const),
  ...(['workflow_unavailable', 'store_unavailable'] as const),
] as const;
const DEPENDENCIES = '/intents/:intentId/dependencies';
const DEPENDENCY = '/intents/:intentId/dependencies/:dependencyId';

/** `POST` and `DELETE` of what an intent depends on: versioned writes that need `If-Match`. */
export function dependencyRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', path: DEPENDENCIES, id: 'addDependency', access: 'agent' },
      summary: 'Lets the intent depend on another; a cycle is refused with its path',
      headers: ['If-Match'],
      body: jsonOf(dependencyRequestSchema, { dependency_id: EXAMPLE_IDS.dependencyId }),
      replies: WRITTEN,
      errors: [
        ...(['dependency_cycle', 'dependency_exists', 'too_many_dependencies'] as const),
        ...WRITE_ERRORS,
      ],
      async handle({ req, params: { intentId }, headers, body: { dependency_id } }) {
        const caller = callerOf(req);
        const version = headers['If-Match'];
        const intent = await gateway.addDependency(caller, intentId, version, dependency_id);
        return reply(200, intentFor(caller, intent), versionTag(intent));
      },
    }),
    defineRoute({
      ...{ method: 'delete', path: DEPENDENCY, id: 'removeDependency', access: 'agent' },
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
