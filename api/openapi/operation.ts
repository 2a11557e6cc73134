import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ROLES, listed, rolesFor } from '../../domain/policy/authorize.js';
import { isPublic } from '../../domain/policy/rules.js';
import { REQUEST_HEADERS } from '../http/headers.js';
import { idNamesIn, isNamed, pathIdSchema } from '../http/path-ids.js';
import type { DescribedRoute, EmptyReplySpec, ReplySpec } from '../v1/route.js';
import { EXAMPLE_IDS, exampleOf } from './examples.js';
import { NOTES } from './notes.js';
import { errorsOf, headerRefs, leadsOn, problemReplies } from './replies.js';
import { requestSchema } from './schemas.js';

const TAGS: readonly (readonly [RegExp, string])[] = [
  [/^\/session/, 'Sessions'],
  [/subscri/, 'Subscriptions'],
  [/coordinators|decisions/, 'Coordinators'],
  [/portfolios/, 'Portfolios'],
  [/leases/, 'Leases'],
  [/tasks|plans|workflows/, 'Plans'],
  [/approvals|runs|requests/, 'Approvals'],
  [/events/, 'Events'],
  [/links|webhooks/, 'Links'],
  [/suspen|engagement/, 'Questions'],
  [/intents/, 'Intents'],
];

/** The group under which the operations of a path are shown. */
export function tagOf(path: string): string {
  return TAGS.find(([pattern]) => pattern.test(path))?.[1] ?? 'Service';
}

function pathParams(path: string) {
  const ids = idNamesIn(path).map((name) => {
    const format = isNamed(name) ? {} : { format: 'uuid' };
    const about = { ...format, example: EXAMPLE_IDS[name] };
    return [name, pathIdSchema(name).meta(about)] as const;
  });
  return z.object(Object.fromEntries(ids));
}

function headerParams({ headers }: DescribedRoute) {
  const params = headers.map((name) => {
    const { schema, required, example, description } = REQUEST_HEADERS[name];
    const about = { example, description };
    return [name, required ? schema.meta(about) : schema.optional().meta(about)] as const;
  });
  return z.object(Object.fromEntries(params));
}

function requestBody({ id, body }: DescribedRoute): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (body === undefined) return {};
  const { schema } = body;
  const example = exampleOf(id, 'request');
  const content = { 'application/json': { schema: requestSchema(schema), example } };
  return { requestBody: { required: !schema.safeParse({}).success, content } };
}

function linksOf(id: string): Pick<ZodOpenApiResponseObject, 'links'> {
  const links = LINKS[id];
  if (links === undefined) return {};
  return { links: Object.fromEntries(links.map((link) => [link.operationId, { ...link }])) };
}

function successReply(
  id: string,
  status: `${number}`,
  spec: ReplySpec | EmptyReplySpec,
): ZodOpenApiResponseObject {
  const { description, headers = [] } = spec;
  if (spec.body === undefined) return { description, headers: headerRefs(headers) };
  const { body, contentType = 'application/json' } = spec;
  const example = exampleOf(id, status);
  return {
    description,
    headers: headerRefs(headers),
    content: { [contentType]: { schema: body, ...(example !== undefined && { example }) } },
    ...linksOf(id),
  };
}

/** Signing in with a browser needs a session where anything else needs a key. */
function needs({ name: action, resource }: DescribedRoute['operation']): string {
  if (isPublic(action)) return 'Needs no key.';
  if (resource === 'session') return 'Needs a session.';
  const roles = rolesFor(action);
  if (roles.length === ROLES.length) return 'Needs a key.';
  return `Needs a key with the role ${listed(roles)}.`;
}

/** What proves the sender of a request; nothing but a session proves that there is one. */
function securityOf({ operation: { name, resource }, method }: DescribedRoute) {
  if (isPublic(name)) return [];
  const bySession = method === 'get' ? { session: [] } : { session: [], csrf: [] };
  return resource === 'session' ? [bySession] : [{ apiKey: [] }, { bearer: [] }, bySession];
}

/** What else becomes of a browser that goes there. */
function refusalsOf(route: DescribedRoute): string {
  if (!leadsOn(route)) return '';
  const codes = errorsOf(route).filter((code) => code !== 'internal');
  const listedCodes = codes.map((code) => `\`${code}\``).join(', ');
  return `A browser goes there, so a refusal is no problem document: it leads to \`/inbox?sign_in=<code>\`, with ${listedCodes}.`;
}

/** A route as an operation of the OpenAPI document. */
export function operationOf(route: DescribedRoute): ZodOpenApiOperationObject {
  const { id, path, summary, query, replies, operation } = route;
  const successes = Object.entries(replies).map(
    ([status, spec]) => [status, successReply(id, status as `${number}`, spec)] as const,
  );
  return {
    operationId: id,
    tags: [tagOf(path)],
    summary,
    description: [NOTES[id], refusalsOf(route), needs(operation)].filter(Boolean).join('\n\n'),
    security: securityOf(route),
    requestParams: {
      path: pathParams(path),
      header: headerParams(route),
      ...(query && { query }),
    },
    ...requestBody(route),
    responses: { ...problemReplies(route), ...Object.fromEntries(successes) },
  };
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
}

const OF_INTENT = { intentId: '$response.body#/id' };
const VERSIONED = { ...OF_INTENT, 'header.If-Match': '$response.header.ETag' };
const OF_PORTFOLIO = { portfolioId: '$response.body#/id' };
const OF_MEMBERSHIP = {
  portfolioId: '$response.body#/portfolio_id',
  intentId: '$response.body#/intent_id',
};
const OF_SUSPENSION = { suspensionId: '$response.body#/id' };
const OF_ASKED = { intentId: '$response.body#/intent_id' };
const ASKED_BODY = { suspension_id: '$response.body#/id' };
const OF_LEASE = { intentId: '$response.body#/intent_id', leaseId: '$response.body#/id' };

const to = (operationId: string, parameters: Link['parameters']): Link => ({
  operationId,
  parameters,
});

/** What can be done next with what an operation created, by its `operationId`. */
export const LINKS: Readonly<Record<string, readonly Link[]>> = {
  createIntent: [
    ...['getIntent', 'listEvents', 'appendEvent', 'listLeases', 'acquireLease', 'engage'].map(
      (operationId) => to(operationId, OF_INTENT),
    ),
    to('suspend', OF_INTENT),
    to('createChild', OF_INTENT),
    to('listChildren', OF_INTENT),
    to('readGraph', OF_INTENT),
    to('addDependency', VERSIONED),
    to('setStatus', VERSIONED),
    to('patchState', VERSIONED),
  ],
  suspend: [
    to('getSuspension', OF_SUSPENSION),
    to('waitForSuspension', OF_SUSPENSION),
    { ...to('respond', OF_ASKED), requestBody: ASKED_BODY },
    { ...to('cancelSuspension', OF_ASKED), requestBody: ASKED_BODY },
  ],
  createPortfolio: [
    ...['getPortfolio', 'listMembers', 'addMember', 'changePortfolio', 'closePortfolio'].map(
      (operationId) => to(operationId, OF_PORTFOLIO),
    ),
    to('listPortfolioEvents', OF_PORTFOLIO),
  ],
  createCoordinator: [
    ...['getCoordinator', 'heartbeat'].map((operationId) =>
      to(operationId, { coordinatorId: '$response.body#/id' }),
    ),
  ],
  addMember: [to('removeMember', OF_MEMBERSHIP)],
  acquireLease: [to('renewLease', OF_LEASE), to('releaseLease', OF_LEASE)],
};
