import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import express, { type Express, type Request, type Response } from 'express';
import assert from 'node:assert/strict';
import request from 'supertest';
import { routePatternOf } from '../../api/http/route.js';
import { noteReplyFault } from './reply-faults.js';

/** A JSON object of the document. */
export type Node = Readonly<Record<string, unknown>>;

interface Media {
  readonly schema: Node;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DocumentedReply {
  readonly description: string;
  readonly headers?: Node;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DocumentedReply>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
    readonly responses: Readonly<Record<string, DocumentedReply>>;
    readonly headers: Readonly<Record<string, Node>>;
  };
}

/** The document as an app serves it. */
export async function documentOf(app: Express): Promise<OpenApi> {
  const { status, body } = await request(app).get('/v1/openapi.json');
  assert.equal(status, 200);
  return body as OpenApi;
}

function resolved(document: OpenApi, reply: DocumentedReply & { $ref?: string }): DocumentedReply {
  if (reply.$ref === undefined) return reply;
  const target = document.components.responses[reply.$ref.replace('#/components/responses/', '')];
  assert.ok(target, `no ${reply.$ref}`);
  return target;
}

/** Every operation of a document, its references to replies followed. */
export function operationsOf(document: OpenApi): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { responses, ...rest } = operation as unknown as Operation;
      const followed = Object.entries(responses).map(
        ([status, reply]) => [status, resolved(document, reply)] as const,
      );
      return { ...rest, method, path, responses: Object.fromEntries(followed) };
    }),
  );
}

const OWN_HEADERS = [
  'ETag',
  'Location',
  'Holdpoint-Stale',
  'Holdpoint-Written',
  'Retry-After',
  'WWW-Authenticate',
];

/** Compiles schemas of a document, each of its named schemas once. */
export function compilerOf({ components }: OpenApi): Ajv2020 {
  // Most are used a few times: code that is made fast is better than fast code.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code });
  (formats as unknown as (instance: Ajv2020) => void)(ajv);
  for (const [name, schema] of Object.entries(components.schemas)) {
    ajv.addSchema(schema, `#/components/schemas/${name}`);
  }
  return ajv;
}

interface Described {
  readonly ajv: Ajv2020;
  readonly operations: readonly Operation[];
}

let checked = 0;
/** Every app has the same routes, and so the same document. */
let described: Promise<Described> | undefined;

/** How many replies were held against the document so far. */
export function checkedReplies(): number {
  return checked;
}

async function describe(app: Express): Promise<Described> {
  const document = await documentOf(app);
  return { ajv: compilerOf(document), operations: operationsOf(document) };
}

function faultOf(operation: Operation, res: Response, text: string, all: Described) {
  const reply = operation.responses[String(res.statusCode)];
  if (reply === undefined) return 'this status is not documented';
  const sent = OWN_HEADERS.filter((name) => res.hasHeader(name));
  const extra = sent.filter((name) => reply.headers?.[name] === undefined);
  if (extra.length > 0) return `undocumented ${extra.join(', ')}`;
  const type = String(res.getHeader('Content-Type')).split(';')[0] ?? '';
  const schema = reply.content?.[type]?.schema;
  if (schema === undefined) return `${type} is not documented`;
  const validate = all.ajv.compile(schema);
  return validate(JSON.parse(text)) ? undefined : all.ajv.errorsText(validate.errors);
}

/** A method or a path that there is not has no operation, and is not looked at. */
function check(req: Request, res: Response, text: string, all: Described): void {
  const path = routePatternOf(req)
    ?.replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\/$/, '');
  const method = req.method.toLowerCase();
  const operation = all.operations.find((each) => each.path === path && each.method === method);
  if (operation === undefined) return;
  checked += 1;
  const fault = faultOf(operation, res, text, all);
  if (fault === undefined) return;
  noteReplyFault(`${operation.operationId} ${res.statusCode}: ${fault} in ${text}`);
}

/** The same app; every JSON reply of a route is held against the OpenAPI document that it serves. */
export function withCheckedReplies(app: Express): Express {
  const outer = express();
  outer.disable('x-powered-by');
  outer.once('shutdown', () => app.emit('shutdown'));
  outer.use((req, res, next) => {
    if (req.path === '/v1/openapi.json') {
      next();
      return;
    }
    described ??= describe(app);
    void described.then((all) => {
      const send = res.send.bind(res);
      res.send = (body) => {
        if (typeof body === 'string') check(req, res, body, all);
        return send(body);
      };
      next();
    }, next);
  });
  return outer.use(app);
}
