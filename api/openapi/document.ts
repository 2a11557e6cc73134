import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { VERSION } from '../../contracts/constants/names.js';
import { problemSchema } from '../../contracts/kernel/problem.js';
import type { DescribedRoute } from '../v1/route.js';
import { operationOf, tagOf } from './operation.js';
import { REPLY_HEADERS, problemComponents } from './replies.js';

const DESCRIPTION = [
  'Durable human-in-the-loop for software agents: an agent asks, the question waits, exactly one answer counts.',
  'JSON both ways. A refusal is `application/problem+json` (RFC 9457) with a `code`, mostly the `field` and what would be `accepted`.',
  'A field or query parameter that a request does not know is refused with `invalid_request` and the nearest known name, such as `timeout_seconds` for `timout_seconds`. A method that a path does not have is 405 with `Allow`.',
  'Browsers sign in at `/session`, and then send its cookie in place of a key, and what changes something with `X-CSRF-Token`.',
  'The probes `/v1/health` and `/v1/ready` are also at `/health` and `/ready`.',
].join('\n\n');

const KEYS =
  'An agent’s key to ask, an operator’s key to answer, or an admin’s key for both. Each operation says which it needs. `npm start` prints one of each.';

const TOKENS =
  'A token of the OpenID Connect issuer that the server is configured with, wherever a key is accepted. While the issuer cannot be asked for its keys, a token that needs them is refused with `issuer_unavailable`.';

/**
 * Removes what zod adds and no reader needs: long patterns that only repeat a format. Bodies take no field besides those of
 * their schema, unless the schema has a catchall.
 */
const tidy: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, zodSchema, io }) => {
  if (io === 'input' && zodSchema instanceof z.ZodObject) jsonSchema.additionalProperties ??= false;
  delete jsonSchema.readOnly;
  if (isDeepStrictEqual(jsonSchema.propertyNames, { type: 'string' })) {
    delete jsonSchema.propertyNames;
  }
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
};

const COOKIE =
  'The session of a browser, which `POST /session` and the issuer’s sign-in open: `__Host-holdpoint_session` over https, and over plain http `holdpoint_session` with `_` and the port of the address. It counts for pages of this server alone.';

const CSRF = 'The `csrf` of `GET /session`, in each request of a session that changes something.';

export interface RouteGroup {
  readonly under: string;
  readonly routes: readonly DescribedRoute[];
}

function wholeRoutes(groups: readonly RouteGroup[]): readonly DescribedRoute[] {
  return groups.flatMap(({ under, routes }) =>
    routes.map((route) => ({ ...route, path: `${under}${route.path === '/' ? '' : route.path}` })),
  );
}

function pathsOf(routes: readonly DescribedRoute[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return paths;
}

function tagsOf(routes: readonly DescribedRoute[]): { name: string }[] {
  return [...new Set(routes.map(({ path }) => tagOf(path)))].map((name) => ({ name }));
}

/**
 * Describes routes as an OpenAPI 3.1 document, from the schemas of their requests and replies.
 *
 * @throws Error if a schema cannot be written as JSON Schema, which is a defect
 */
export function describeRoutes(groups: readonly RouteGroup[]): ReturnType<typeof createDocument> {
  const routes = wholeRoutes(groups);
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Holdpoint',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: tagsOf(routes),
      paths: pathsOf(routes),
      components: {
        schemas: { Problem: problemSchema },
        headers: { ...REPLY_HEADERS },
        responses: problemComponents(),
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: KEYS },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: TOKENS,
          },
          session: { type: 'apiKey', in: 'cookie', name: 'holdpoint_session', description: COOKIE },
          csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: CSRF },
        },
      },
    },
    { override: tidy },
  );
}
