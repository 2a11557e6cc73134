import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { WRITTEN_HEADER } from '../../contracts/constants/headers.js';
import { ROLES, listed, rolesFor } from '../../domain/policy/authorize.js';
import { isPublic } from '../../domain/policy/rules.js';
import { REQUEST_HEADERS } from '../http/headers.js';
import { idNamesIn, isNamed, pathIdSchema } from '../http/path-ids.js';
import type { DescribedRoute, EmptyReplySpec, ReplySpec } from '../v1/route.js';
import { NOTES } from './notes.js';
import { errorsOf, headerRefs, leadsOn, problemReplies, requestSchema } from './replies.js';

const FOLDER = new URL('./examples/', import.meta.url);

/** One file of examples: records by name, and requests and replies by the ids of operations. */
interface ExampleFile {
  readonly records?: Readonly<Record<string, unknown>>;
  readonly operations?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && name !== 'ids.json')
  .map((name) => readJson(name) as ExampleFile);
const RECORDS = new Map(FILES.flatMap(({ records = {} }) => Object.entries(records)));
const OPERATIONS = new Map(FILES.flatMap(({ operations = {} }) => Object.entries(operations)));

/** The content of the files: names of records, and ids of routes with the parts that have an example. */
export const EXAMPLE_NAMES = {
  records: [...RECORDS.keys()],
  routes: [...OPERATIONS].map(([id, parts]) => ({ id, parts: Object.keys(parts) })),
} as const;

export const EXAMPLE_IDS = readJson('ids.json') as Readonly<Record<string, string>>;

/**
 * Replaces references such as `{"$record": "intent"}` by the record, without the fields that `$without` names, and with the
 * other fields of the reference.
 */
function withRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRecords);
  if (typeof value !== 'object' || value === null) return value;
  const { $record, $without, ...fields } = value as Reference;
  const own = Object.entries(fields).map(([name, inner]) => [name, withRecords(inner)] as const);
  if ($record === undefined) return Object.fromEntries(own);
  const record = recordExample($record);
  if (typeof record !== 'object' || record === null) return record;
  const kept = Object.entries(record).filter(([name]) => $without?.includes(name) !== true);
  return Object.fromEntries([...kept, ...own]);
}

interface Reference {
  readonly $record?: string;
  readonly $without?: readonly string[];
}

/**
 * Returns a record.
 *
 * @throws Error if no file has one of this name, which is a defect
 */
export function recordExample(name: string): unknown {
  const record = RECORDS.get(name);
  if (record === undefined) throw new Error(`No file of examples has the record ${name}.`);
  return record;
}

/** Returns an example of a route's request, or of its reply with a status; undefined if no file has one. */
export function exampleOf(routeId: string, part: 'request' | `${number}`): unknown {
  return withRecords(OPERATIONS.get(routeId)?.[part]);
}

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

function headerParams({ headers, replies }: DescribedRoute) {
  const params = headers.map((name) => {
    const { schema, required, example, description } = REQUEST_HEADERS[name];
    const about = { example, description };
    return [name, required ? schema.meta(about) : schema.optional().meta(about)] as const;
  });
  const mayLag = Object.values(replies).some((spec) => spec.headers?.includes('Holdpoint-Stale'));
  return z.object({ ...Object.fromEntries(params), ...(mayLag && WRITTEN) });
}

/** The header by which a sender names its earlier writes, for reads that may be behind. */
const WRITTEN = {
  [WRITTEN_HEADER]: z.string().optional().meta({
    description:
      'What the sender has written: the same header of earlier replies, several separated by commas. The reply then shows it, or is stale.',
  }),
};

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
  { id, operation }: DescribedRoute,
  status: `${number}`,
  spec: ReplySpec | EmptyReplySpec,
): ZodOpenApiResponseObject {
  const { description, headers: own = [] } = spec;
  const mayWrite = !isPublic(operation.name) && operation.resource !== 'session';
  const headers = mayWrite ? ([...own, WRITTEN_HEADER] as const) : own;
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

/** Says what an operation needs: a session for those of browsers, a key for others. */
function needs({ name: action, resource }: DescribedRoute['operation']): string {
  if (isPublic(action)) return 'Needs no key.';
  if (resource === 'session') return 'Needs a session.';
  const roles = rolesFor(action);
  if (roles.length === ROLES.length) return 'Needs a key.';
  return `Needs a key with the role ${listed(roles)}.`;
}

/** Returns the credentials that an operation accepts; those of sessions accept only a session. */
function securityOf({ operation: { name, resource }, method }: DescribedRoute) {
  if (isPublic(name)) return [];
  const bySession = method === 'get' ? { session: [] } : { session: [], csrf: [] };
  return resource === 'session' ? [bySession] : [{ apiKey: [] }, { bearer: [] }, bySession];
}

function refusalsOf(route: DescribedRoute): string {
  if (!leadsOn(route)) return '';
  const codes = errorsOf(route).filter((code) => code !== 'internal');
  const listedCodes = codes.map((code) => `\`${code}\``).join(', ');
  return `A browser goes there, so a refusal is no problem document: it leads to \`/inbox?sign_in=<code>\`, with ${listedCodes}.`;
}

export function operationOf(route: DescribedRoute): ZodOpenApiOperationObject {
  const { id, path, summary, query, replies, operation } = route;
  const successes = Object.entries(replies).map(
    ([status, spec]) => [status, successReply(route, status as `${number}`, spec)] as const,
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

const ID = '$response.body#/id';
const INTENT_ID = '$response.body#/intent_id';
const OF_INTENT = { parameters: { intentId: ID } };
const VERSIONED = { parameters: { intentId: ID, 'header.If-Match': '$response.header.ETag' } };
const OF_PORTFOLIO = { parameters: { portfolioId: ID } };
const OF_COORDINATOR = { parameters: { coordinatorId: ID } };
const OF_MEMBERSHIP = {
  parameters: { portfolioId: '$response.body#/portfolio_id', intentId: INTENT_ID },
};
const OF_SUSPENSION = { parameters: { suspensionId: ID } };
const OF_ASKED = { parameters: { intentId: INTENT_ID }, requestBody: { suspension_id: ID } };
const OF_LEASE = { parameters: { intentId: INTENT_ID, leaseId: ID } };

function linksTo(operations: string, given: Omit<Link, 'operationId'>): readonly Link[] {
  return operations.split(' ').map((operationId) => ({ operationId, ...given }));
}

/** The next operations on something that an operation created, by its `operationId`. */
const LINKS: Readonly<Record<string, readonly Link[]>> = {
  createIntent: [
    ...linksTo('getIntent listEvents appendEvent listLeases acquireLease engage', OF_INTENT),
    ...linksTo('suspend createChild listChildren readGraph', OF_INTENT),
    ...linksTo('addDependency setStatus patchState', VERSIONED),
  ],
  suspend: [
    ...linksTo('getSuspension waitForSuspension', OF_SUSPENSION),
    ...linksTo('respond cancelSuspension', OF_ASKED),
  ],
  createPortfolio: [
    ...linksTo('getPortfolio listMembers addMember changePortfolio closePortfolio', OF_PORTFOLIO),
    ...linksTo('listPortfolioEvents', OF_PORTFOLIO),
  ],
  createCoordinator: linksTo('getCoordinator heartbeat', OF_COORDINATOR),
  addMember: linksTo('removeMember', OF_MEMBERSHIP),
  acquireLease: linksTo('renewLease releaseLease', OF_LEASE),
};
