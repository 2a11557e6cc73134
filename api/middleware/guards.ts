import type { RequestHandler } from 'express';
import { jsonBody } from './json-body.js';
import { requireRole } from './roles.js';

/** A write that agents may do. */
export function forAgents(handler: RequestHandler): readonly RequestHandler[] {
  return [requireRole('agent'), ...jsonBody, handler];
}

/** A write that operators may do: answering (R25-99). */
export function forOperators(handler: RequestHandler): readonly RequestHandler[] {
  return [requireRole('operator'), ...jsonBody, handler];
}
