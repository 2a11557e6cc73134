import assert from 'node:assert/strict';
import type { Express } from 'express';
import request from 'supertest';

/** A JSON object of the document. */
export type Node = Readonly<Record<string, unknown>>;

interface Media {
  readonly schema: Node;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DocumentedReply {
  readonly headers?: Node;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
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
