import express from 'express';
import type { Request, RequestHandler } from 'express';
import { LIMITS } from '../../contracts/constants/limits.js';
import { RefusalError } from '../errors.js';
import { findUnstorable } from '../http/json-check.js';

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
