import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { PATH_IDS, idNamesIn } from '../http/path-ids.js';
import type { Route } from '../http/route.js';
import { problemOf } from '../problem.js';
import { headerRefs } from './headers.js';

const REQUEST_ID = '5f0c9a52-5a3e-4d8e-8f6a-3c1b7a9d2e40';

const HEADERS_BY_STATUS: Readonly<Record<number, Parameters<typeof headerRefs>[0]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  503: ['Retry-After'],
};

/** What any route of its kind may refuse with. */
function impliedErrors(route: Route): readonly ErrorCode[] {
  const { access, path, query, headers, body } = route;
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
  const codes = new Set<ErrorCode>([...impliedErrors(route), ...(route.errors ?? [])]);
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
