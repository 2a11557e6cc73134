import express, { type Request, type RequestHandler } from 'express';
import { InexactJsonError, parseExact } from '../../contracts/constants/exact-json.js';
import { cutPath, fieldPath } from '../../contracts/constants/field-path.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { pathOf, visitsOf, type Visit } from '../../domain/kernel/json.js';
import { isUnsound } from '../../domain/kernel/text.js';
import { RefusalError, standardRefusal } from '../errors.js';
import { unsoundText } from './sound-text.js';

const bytesUpTo = (limit: number): RequestHandler => express.raw({ limit, type: () => true });

export const readBytes = bytesUpTo(LIMITS.bodyBytes);
const JSON_TYPE = 'application/json';
const JSON_TYPES = [JSON_TYPE, '+json'];
const CHARSET = /;\s*charset="?([^\s;"]*)/i;

function refuseType(detail: string, accepted: string): RefusalError {
  return new RefusalError({ code: 'invalid_request', detail, field: 'Content-Type', accepted });
}

/** Parses a body. An empty one counts as `{}`, however it is declared: some clients declare a body and send none. */
function valueOf(req: Request, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  if (!req.is(JSON_TYPES)) throw refuseType('The body is not declared as JSON.', JSON_TYPE);
  const [, charset = 'utf-8'] = CHARSET.exec(req.get('Content-Type') ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) {
    throw refuseType('The charset of the body is not supported.', `${JSON_TYPE} in UTF-8`);
  }
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof InexactJsonError) throw inexact(error);
    throw standardRefusal('malformed_json', {}, { cause: error });
  }
}

function inexact(error: InexactJsonError): RefusalError {
  const { field, accepted, detail } = error.fault;
  return new RefusalError({ code: 'invalid_request', field, accepted, detail }, { cause: error });
}

const bytes = new WeakMap<Request, Uint8Array>();

export function bytesOf(req: Request): Uint8Array {
  return bytes.get(req) ?? new Uint8Array();
}

const requireObject: RequestHandler = (req, _res, next) => {
  const sent: Uint8Array = Buffer.isBuffer(req.body) ? req.body : new Uint8Array();
  bytes.set(req, sent);
  const body = valueOf(req, sent);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new RefusalError({
      code: 'invalid_request',
      detail: 'The body is JSON, but not an object.',
      accepted: 'a JSON object',
    });
  }
  const refusal = findUnstorable(body);
  if (refusal !== undefined) throw new RefusalError(refusal);
  req.body = body;
  next();
};

/** Whether a route takes a body, and of how many bytes at most; 256 KiB by default. */
interface Taken {
  readonly takesBody: boolean;
  readonly bodyBytes?: number;
}

/** Reads a JSON object into `req.body`, if the route takes one. An empty body counts as `{}`. */
export function jsonBody({ takesBody, bodyBytes }: Taken): readonly RequestHandler[] {
  return takesBody ? [bytesUpTo(bodyBytes ?? LIMITS.bodyBytes), requireObject] : [];
}

/** Whether a value is a text that cannot be stored, or has a name that cannot. */
function holdsUnsoundText({ value, name }: Visit): boolean {
  return (
    (typeof value === 'string' && isUnsound(value)) || (typeof name === 'string' && isUnsound(name))
  );
}

/**
 * Finds valid JSON that cannot be stored as it is: texts with U+0000 or half of a surrogate pair, and a name that zod drops.
 *
 * @param body - a value from `parseExact`
 */
export function findUnstorable(body: unknown): Refusal | undefined {
  for (const visit of visitsOf(body)) {
    if (!holdsUnsoundText(visit) && visit.name !== '__proto__') continue;
    const field = fieldPath(cutPath(pathOf(visit)));
    if (holdsUnsoundText(visit)) return unsoundText(field).refusal;
    const accepted = 'another name';
    const detail = `The body holds what cannot be kept: use ${accepted}.`;
    return { code: 'invalid_request', field, accepted, detail };
  }
  return undefined;
}
