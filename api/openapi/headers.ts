import type { ZodOpenApiHeaderObject } from 'zod-openapi';
import type { ReplyHeader } from '../http/route.js';

type Name = ReplyHeader | 'X-Request-Id' | 'WWW-Authenticate' | 'Allow';

/** The headers of replies, `components.headers` of the document. */
export const REPLY_HEADERS: Readonly<Record<Name, ZodOpenApiHeaderObject>> = {
  'X-Request-Id': {
    description: 'The id of the request in the log; one that was sent is kept.',
    required: true,
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the intent, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"\\d+"$' },
  },
  Location: {
    description: 'Where what was made, or its outcome, can be read.',
    required: true,
    schema: { type: 'string' },
  },
  'Holdpoint-Stale': {
    description: 'There where the reply may lack the newest write.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Holdpoint-Feed-Position': {
    description: 'The id after which the stream begins.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string' },
  },
  Allow: {
    description: 'The methods that the route has.',
    required: true,
    schema: { type: 'string' },
  },
};

/** References to the headers of a reply, `X-Request-Id` among them. */
export function headerRefs(names: readonly Name[]): Record<string, { $ref: string }> {
  const all: readonly Name[] = ['X-Request-Id', ...names];
  return Object.fromEntries(
    all.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
