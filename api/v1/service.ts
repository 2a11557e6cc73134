import { z } from 'zod';
import type { ServerConfig } from '../../contracts/config.js';
import { jsonObjectSchema } from '../../contracts/primitives.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { partialRetryPolicySchema } from '../../contracts/retry-policy.js';
import type { Gateway } from '../gateway/index.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { describeRoutes } from '../openapi/document.js';

/** Version of the OpenIntent protocol that names and forms follow. */
const PROTOCOL_VERSION = '0.1';

const healthSchema = z.object({ status: z.literal('ok') });
const checkSchema = z.object({ ok: z.boolean(), detail: z.string() });
const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  dependencies: z.object({ temporal: checkSchema, worker: checkSchema, store: checkSchema }),
});
const publicConfigSchema = z.object({
  protocol_version: z.string(),
  suspension: z.object({ default_retry_policy: partialRetryPolicySchema.nullable() }),
});

const DEPENDENCIES = {
  temporal: { ok: true, detail: 'Temporal 1.29.1' },
  worker: { ok: true, detail: '1 polling "holdpoint"' },
  store: { ok: true, detail: 'the store answers' },
};

/** `GET /health` (the process lives) and `GET /ready` (each dependency named; 503 if one is not ok). */
export function healthRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/health',
      id: 'health',
      access: 'public',
      summary: 'Tells that the process lives',
      replies: {
        200: { description: 'It lives.', body: healthSchema, example: { status: 'ok' } },
      },
      handle: () => reply(200, { status: 'ok' }),
    }),
    defineRoute({
      method: 'get',
      path: '/ready',
      id: 'ready',
      access: 'public',
      summary: 'Tells whether each dependency is there',
      replies: {
        200: {
          description: 'All are there.',
          body: readinessSchema,
          example: { status: 'ready', dependencies: DEPENDENCIES },
        },
        503: {
          description: 'One is missing.',
          body: readinessSchema,
          headers: ['Retry-After'],
          example: {
            status: 'not_ready',
            dependencies: { ...DEPENDENCIES, worker: { ok: false, detail: '0 polling' } },
          },
        },
      },
      async handle() {
        const dependencies = await gateway.readiness();
        const ready = Object.values(dependencies).every(({ ok }) => ok);
        if (ready) return reply(200, { status: 'ready', dependencies });
        return reply(503, { status: 'not_ready', dependencies }, { 'Retry-After': '1' });
      },
    }),
  ];
}

/** `GET /server/config`: what clients may know of the configuration, read-only (R26-70, AM-25). */
export function configRoutes(config: ServerConfig): readonly Route[] {
  const { default_retry_policy } = config.suspension;
  const told = { protocol_version: PROTOCOL_VERSION, suspension: { default_retry_policy } };
  return [
    defineRoute({
      method: 'get',
      path: '/server/config',
      id: 'serverConfig',
      access: 'public',
      summary: 'Tells the protocol version and the default retry policy',
      replies: {
        200: {
          description: 'What clients may know.',
          body: publicConfigSchema,
          example: {
            protocol_version: PROTOCOL_VERSION,
            suspension: { default_retry_policy: { max_attempts: 3, interval_seconds: 900 } },
          },
        },
      },
      handle: () => reply(200, told),
    }),
  ];
}

/** `GET /openapi.json`: the description of these routes and of itself, made once. */
export function openApiRoute(described: readonly Route[]): Route {
  const route = defineRoute({
    method: 'get',
    path: '/openapi.json',
    id: 'openApi',
    access: 'public',
    summary: 'Describes the API in the form of OpenAPI 3.1',
    replies: { 200: { description: 'The document.', body: jsonObjectSchema } },
    handle: () => reply(200, document),
  });
  const document = describeRoutes([...described, route]) as unknown as JsonObject;
  return route;
}
