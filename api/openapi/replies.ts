import type { ZodOpenApiHeaderObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ERRORS, type ErrorCode } from '../../contracts/constants/errors.js';
import { isPublic } from '../../domain/policy/rules.js';
import { PATH_IDS, idNamesIn } from '../http/path-ids.js';
import { problemOf } from '../http/problem.js';
import type { DescribedRoute, ReplyHeader } from '../v1/route.js';
import { z } from 'zod';
import { takesNullAsAbsent } from '../../contracts/kernel/parse-fields.js';

type Name =
  ReplyHeader | 'X-Request-Id' | 'RateLimit' | 'RateLimit-Policy' | 'WWW-Authenticate' | 'Allow';

/** The headers of replies, `components.headers` of the document. */
export const REPLY_HEADERS: Readonly<Record<Name, ZodOpenApiHeaderObject>> = {
  'X-Request-Id': {
    description: 'The id of the request in the log. An id that the client sent is kept.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'How many requests the principal has left (`r`) for so many seconds (`t`), wherever a key is needed.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'How many requests (`q`) a principal may send in so many seconds (`w`).',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the resource, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"\\d+"$' },
  },
  Location: {
    description: 'Where the created resource, its outcome, or the next page is.',
    required: true,
    schema: { type: 'string' },
  },
  'Holdpoint-Stale': {
    description: 'Present if the reply may lack the newest write.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Holdpoint-Written': {
    description:
      'Names what the request wrote, if lists may not show it yet. Send it with later reads, so that they show it at every replica.',
    schema: { type: 'string' },
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

export function headerRefs(names: readonly Name[]): Record<string, { $ref: string }> {
  const all: readonly Name[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...names];
  return Object.fromEntries(
    all.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

const REQUEST_ID = '5f0c9a52-5a3e-4d8e-8f6a-3c1b7a9d2e40';

const HEADERS_BY_STATUS: Readonly<Record<number, Parameters<typeof headerRefs>[0]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const SIGN_IN_ERRORS = [
  'unauthenticated',
  'too_many_groups',
  'issuer_unavailable',
  'too_many_requests',
] as const satisfies readonly ErrorCode[];

function impliedErrors(route: DescribedRoute): readonly ErrorCode[] {
  const { operation, path, headers, body, method } = route;
  const isOpen = isPublic(operation.name);
  const ids = idNamesIn(path).map((name) => PATH_IDS[name]);
  const isParsed = !isOpen || route.query !== undefined || body !== undefined;
  return [
    ...(isOpen ? [] : SIGN_IN_ERRORS),
    ...(isOpen ? [] : (['forbidden', 'cross_site'] as const)),
    ...(isOpen || method === 'get' ? [] : (['csrf_token_missing'] as const)),
    ...(ids.length > 0 ? (['not_found', ...ids] as const) : []),
    ...(isParsed ? (['invalid_request'] as const) : []),
    ...(headers.includes('If-Match') ? (['precondition_required'] as const) : []),
    ...(body === undefined ? [] : (['malformed_json', 'body_too_large'] as const)),
    ...Object.values(body?.codes ?? {}),
    'invalid_text',
    'internal',
  ];
}

export function errorsOf(route: DescribedRoute): readonly ErrorCode[] {
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

/** Returns a reply for each error, `components.responses` of the document. */
export function problemComponents(): Record<string, ZodOpenApiResponseObject> {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return Object.fromEntries(codes.map((code) => [code, problemReply([code])]));
}

interface Ref {
  readonly $ref: string;
}

/** Whether browsers navigate to a route: its refusals are redirects too, and only a defect is a problem document. */
export function leadsOn({ replies }: DescribedRoute): boolean {
  return replies[303] !== undefined;
}

export function problemReplies(
  route: DescribedRoute,
): Record<string, ZodOpenApiResponseObject | Ref> {
  const byStatus = new Map<number, [ErrorCode, ...ErrorCode[]]>();
  for (const code of leadsOn(route) ? (['internal'] as const) : errorsOf(route)) {
    const [status] = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const replies = [...byStatus].map(([status, codes]) => {
    const ref = { $ref: `#/components/responses/${codes[0]}` };
    return [String(status), codes.length === 1 ? ref : problemReply(codes)] as const;
  });
  return Object.fromEntries(replies);
}

/** Described bodies, so that routes with the same body share its name. */
const described = new WeakMap<z.ZodType, z.ZodType>();

/** Returns a body as `parseInput` takes it: null stands for a missing field. */
export function requestSchema(schema: z.ZodType): z.ZodType {
  const known = described.get(schema) ?? describe(schema);
  described.set(schema, known);
  return known;
}

function describe(schema: z.ZodType): z.ZodType {
  const about = schema.meta() ?? {};
  if (schema instanceof z.ZodUnion) {
    return z.union((schema.options as readonly z.ZodType[]).map(requestSchema)).meta(about);
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, takesNullAsAbsent(field) ? field.nullable() : field] as const,
  );
  return z.object(Object.fromEntries(fields)).meta(about);
}
