import type { ZodOpenApiHeaderObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { PATH_IDS, idNamesIn } from '../http/path-ids.js';
import { problemOf } from '../http/problem.js';
import type { ReplyHeader, Route } from '../v1/route.js';

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

const REQUEST_ID = '5f0c9a52-5a3e-4d8e-8f6a-3c1b7a9d2e40';

const HEADERS_BY_STATUS: Readonly<Record<number, Parameters<typeof headerRefs>[0]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  503: ['Retry-After'],
};

/** What any route of its kind may refuse with. */
function impliedErrors(route: Route): readonly ErrorCode[] {
  const { operation, path, query, headers, body } = route;
  const { access } = operation;
  const ids = idNamesIn(path).map((name) => PATH_IDS[name]);
  const isParsed = body !== undefined || query !== undefined || headers.length > 0;
  return [
    ...(access === 'public' ? [] : (['unauthenticated'] as const)),
    ...(access === 'public' || access === 'any' ? [] : (['forbidden'] as const)),
    ...(ids.length > 0 ? (['not_found', ...ids] as const) : []),
    ...(isParsed ? (['invalid_request'] as const) : []),
    ...(headers.includes('If-Match') ? (['precondition_required'] as const) : []),
    ...(body === undefined ? [] : (['malformed_json', 'body_too_large'] as const)),
    ...Object.values(body?.codes ?? {}),
    'internal',
  ];
}

/** Every code a route may refuse with, in the order of the table of errors. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...impliedErrors(route),
    ...route.operation.refusals,
    ...(route.errors ?? []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

function problemReply(codes: readonly [ErrorCode, ...ErrorCode[]]): ZodOpenApiResponseObject {
  const [status] = ERRORS[codes[0]];
  const examples = codes.map((code) => {
    const [, title, detail] = ERRORS[code];
    return [code, { summary: title, value: problemOf({ code, detail }, REQUEST_ID) }] as const;
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][2]}`).join('\n\n'),
    headers: headerRefs(HEADERS_BY_STATUS[status] ?? []),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { enum: [...codes] } } },
          ],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** One reply for each error there is, `components.responses` of the document. */
export function problemComponents(): Record<string, ZodOpenApiResponseObject> {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return Object.fromEntries(codes.map((code) => [code, problemReply([code])]));
}

interface Ref {
  readonly $ref: string;
}

/** The error replies of a route by status. */
export function problemReplies(route: Route): Record<string, ZodOpenApiResponseObject | Ref> {
  const byStatus = new Map<number, [ErrorCode, ...ErrorCode[]]>();
  for (const code of errorsOf(route)) {
    const [status] = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const replies = [...byStatus].map(([status, codes]) => {
    const ref = { $ref: `#/components/responses/${codes[0]}` };
    return [String(status), codes.length === 1 ? ref : problemReply(codes)] as const;
  });
  return Object.fromEntries(replies);
}
