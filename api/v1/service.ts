import { z } from 'zod';
import { channelReportsSchema } from '../../contracts/channel/follow-up.js';
import { meSchema } from '../../contracts/people/session.js';
import { jsonObjectSchema, type JsonObject } from '../../contracts/kernel/primitives.js';
import { partialRetryPolicySchema } from '../../contracts/suspension/retry-policy.js';
import { runsSetAsideSchema } from '../../contracts/log/set-aside.js';
import { unattendedQueuesSchema } from '../../contracts/server/unattended.js';
import { reply } from '../http/reply.js';
import { getMe, serverConfig, health, ready, openApi } from '../usecases/server/about.js';
import { listChannels, listSetAside, listUnattended } from '../usecases/server/watch.js';
import { v1Route, type Route } from './route.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { codedPayloadsSchema, payloadsSchema } from '../../contracts/server/codec.js';
import { jsonOf } from '../http/input.js';
import { decodePayloads, encodePayloads } from '../usecases/server/codec.js';

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
  v1Route(serverConfig, 'GET /server/config', {
    summary: 'Returns the protocol version and the default retry policy',
    replies: { 200: { description: 'What clients may know.', body: publicConfigSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
];

export const CALLER_ROUTES: readonly Route[] = [
  v1Route(getMe, 'GET /me', {
    summary: 'Returns the caller of the key or token, and its rights',
    replies: { 200: { description: 'The caller.', body: meSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
];

/** Notes of workers, for operators of the service; `holdpoint doctor` prints the first two. */
export const OPERATING_ROUTES: readonly Route[] = [
  v1Route(listChannels, 'GET /server/channels', {
    summary:
      'Returns the last deliveries of each channel, and whether its service accepts the credentials',
    replies: { 200: { description: 'The channels.', body: channelReportsSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(listSetAside, 'GET /server/set-aside', {
    summary: 'Names the workflows that workers have set aside, because their tasks never ended',
    replies: { 200: { description: 'The workflows.', body: runsSetAsideSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(listUnattended, 'GET /server/unattended', {
    summary: "Names the task queues on which agents' workflows wait without a worker",
    replies: { 200: { description: 'The task queues.', body: unattendedQueuesSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
];

/** `GET /health` (the process lives) and `GET /ready` (each dependency; 503 if one is not there). */
export const HEALTH_ROUTES: readonly Route[] = [
  v1Route(health, 'GET /health', {
    summary: 'Says whether the process is alive',
    replies: { 200: { description: 'The process is alive.', body: healthSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(ready, 'GET /ready', {
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

/** Returns `GET /openapi.json`: the description of the routes, including this one. */
export function openApiRoute(document: () => JsonObject): Route {
  return v1Route(openApi, 'GET /openapi.json', {
    summary: 'Describes the API in the form of OpenAPI 3.1',
    replies: { 200: { description: 'The document.', body: jsonObjectSchema } },
    handle: () => reply(200, document()),
  });
}

/** The codec server of Temporal's pages and command line: their endpoint is `/v1/codec`. */
export const CODEC_ROUTES: readonly Route[] = [
  v1Route(encodePayloads, 'POST /codec/encode', {
    summary: 'Encrypts payloads as they are kept in the histories of Temporal',
    body: jsonOf(payloadsSchema),
    bodyBytes: LIMITS.codecBytes,
    replies: { 200: { description: 'The payloads, encoded.', body: codedPayloadsSchema } },
    handle: async ({ run, body }) => reply(200, await run(body.payloads ?? [])),
  }),
  v1Route(decodePayloads, 'POST /codec/decode', {
    summary: 'Decrypts payloads of the histories of Temporal',
    body: jsonOf(payloadsSchema),
    bodyBytes: LIMITS.codecBytes,
    replies: { 200: { description: 'The payloads, decoded.', body: codedPayloadsSchema } },
    handle: async ({ run, body }) => reply(200, await run(body.payloads ?? [])),
  }),
];
