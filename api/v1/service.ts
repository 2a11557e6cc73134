import { z } from 'zod';
import { channelReportsSchema } from '../../contracts/channel-report.js';
import { meSchema } from '../../contracts/me.js';
import { jsonObjectSchema } from '../../contracts/primitives.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { partialRetryPolicySchema } from '../../contracts/retry-policy.js';
import { runsSetAsideSchema } from '../../contracts/set-aside.js';
import { reply } from '../http/reply.js';
import { CALLERS, SERVER } from '../operations/server.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const healthSchema = z.object({ status: z.literal('ok') });
const checkSchema = z.object({ ok: z.boolean(), detail: z.string() });
const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  dependencies: z.object({
    api: checkSchema,
    temporal: checkSchema,
    worker: checkSchema,
    store: checkSchema,
  }),
});
const publicConfigSchema = z.object({
  protocol_version: z.string(),
  suspension: z.object({ default_retry_policy: partialRetryPolicySchema.nullable() }),
});

/** What clients may know of the configuration, read-only (R26-70). */
export const CONFIG_ROUTES: readonly Route[] = [
  v1Route(SERVER.serverConfig, {
    method: 'get',
    path: '/server/config',
    summary: 'Returns the protocol version and the default retry policy',
    replies: { 200: { description: 'What clients may know.', body: publicConfigSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
];

/** Who calls, and what that may do. */
export const CALLER_ROUTES: readonly Route[] = [
  v1Route(CALLERS.getMe, {
    method: 'get',
    path: '/me',
    summary: 'Says whom the key or token stands for, and what it may do',
    replies: { 200: { description: 'Who calls.', body: meSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
];

/** What workers noted, for `holdpoint doctor` and whoever looks after the service. */
export const OPERATING_ROUTES: readonly Route[] = [
  v1Route(CALLERS.listChannels, {
    method: 'get',
    path: '/server/channels',
    summary: 'Says of each channel how it has fared, and whether its service takes the credentials',
    replies: { 200: { description: 'The channels.', body: channelReportsSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(CALLERS.listSetAside, {
    method: 'get',
    path: '/server/set-aside',
    summary: 'Names the workflows that workers have set aside, because their tasks never ended',
    replies: { 200: { description: 'The workflows.', body: runsSetAsideSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
];

/** `GET /health` (the process lives) and `GET /ready` (each dependency; 503 if one is not there). */
export const HEALTH_ROUTES: readonly Route[] = [
  v1Route(SERVER.health, {
    method: 'get',
    path: '/health',
    summary: 'Says whether the process is alive',
    replies: { 200: { description: 'The process is alive.', body: healthSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(SERVER.ready, {
    method: 'get',
    path: '/ready',
    summary: 'Says whether each dependency is available',
    replies: {
      200: { description: 'All dependencies are available.', body: readinessSchema },
      503: {
        description: 'A dependency is not available.',
        body: readinessSchema,
        headers: ['Retry-After'],
      },
    },
    async handle({ run }) {
      const dependencies = await run();
      const ready = Object.values(dependencies).every(({ ok }) => ok);
      if (ready) return reply(200, { status: 'ready', dependencies });
      return reply(503, { status: 'not_ready', dependencies }, { 'Retry-After': '1' });
    },
  }),
];

/** `GET /openapi.json`: the description of the routes, this one included. */
export function openApiRoute(document: () => JsonObject): Route {
  return v1Route(SERVER.openApi, {
    method: 'get',
    path: '/openapi.json',
    summary: 'Describes the API in the form of OpenAPI 3.1',
    replies: { 200: { description: 'The document.', body: jsonObjectSchema } },
    handle: () => reply(200, document()),
  });
}
