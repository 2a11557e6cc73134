import { LIMITS } from '../../contracts/constants/limits.js';
import { codedPayloadsSchema, payloadsSchema } from '../../contracts/server/codec.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { decodePayloads, encodePayloads } from '../usecases/server/codec.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

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
