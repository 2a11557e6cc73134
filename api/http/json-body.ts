import express from 'express';
import type { Request, RequestHandler } from 'express';
import { LIMITS } from '../../contracts/constants/limits.js';
import { fieldPath } from '../../contracts/parse-fields.js';
import type { FieldIssue } from '../../contracts/parse-fields.js';
import { pathOf, visitsOf } from '../../domain/kernel/json.js';
import type { Visit } from '../../domain/kernel/json.js';
import { RefusalError } from '../errors.js';

function isEmpty(req: Request): boolean {
  const length = req.get('Content-Length') ?? '0';
  return req.get('Transfer-Encoding') === undefined && length === '0';
}

const requireJsonType: RequestHandler = (req, _res, next) => {
  if (!isEmpty(req) && !req.is(['application/json', '+json'])) {
    throw new RefusalError({
      code: 'invalid_request',
      detail: 'The body is not declared as JSON.',
      field: 'Content-Type',
      accepted: 'application/json',
    });
  }
  next();
};

const requireObject: RequestHandler = (req, _res, next) => {
  const body: unknown = req.body ?? (isEmpty(req) ? {} : req.body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new RefusalError({
      code: 'invalid_request',
      detail: 'The body is JSON, but not an object.',
      accepted: 'a JSON object',
    });
  }
  const issue = findUnstorable(body);
  if (issue !== undefined) throw new RefusalError({ code: 'invalid_request', ...issue });
  req.body = body;
  next();
};

/**
 * Reads a JSON object of at most 256 KiB into `req.body`; no bytes at all count as `{}`, so that
 * requests which need no body may leave it out.
 */
export const jsonBody: readonly RequestHandler[] = [
  requireJsonType,
  express.json({ limit: LIMITS.bodyBytes, strict: false, type: () => true }),
  requireObject,
];

const MAX_DEPTH = 100;

function fault({ value, name, depth }: Visit): string | undefined {
  if (depth > MAX_DEPTH) return `at most ${MAX_DEPTH} levels of nesting`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number a double can hold';
  return name === '__proto__' ? 'another name' : undefined;
}

/**
 * Finds what is JSON but could not be kept as it is: numbers that became infinite, a name that zod
 * drops, nesting that would exhaust a stack.
 *
 * @param body - a value from `JSON.parse`
 */
export function findUnstorable(body: unknown): FieldIssue | undefined {
  for (const visit of visitsOf(body)) {
    const accepted = fault(visit);
    if (accepted !== undefined) {
      const detail = `The body holds what cannot be kept: use ${accepted}.`;
      return { field: fieldPath(pathOf(visit)), accepted, detail };
    }
  }
  return undefined;
}
