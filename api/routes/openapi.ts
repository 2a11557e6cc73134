import { jsonObjectSchema } from '../../contracts/primitives.js';
import type { JsonObject } from '../../contracts/json.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { describeRoutes } from '../openapi/document.js';

/** `GET /openapi.json`: the description of these routes and of itself, made once. */
export function openApiRoute(described: readonly Route[]): Route {
  const route = defineRoute({
    ...{ method: 'get', path: '/openapi.json', id: 'openApi', access: 'public' },
    summary: 'Describes the API in the form of OpenAPI 3.1',
    replies: { 200: { description: 'The document.', body: jsonObjectSchema } },
    handle: () => reply(200, document),
  });
  const document = describeRoutes([...described, route]) as unknown as JsonObject;
  return route;
}
