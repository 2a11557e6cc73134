import type { Request } from 'express';
import { entityAttribute } from '../../domain/kernel/span-attributes.js';
import type { Span } from '../../runtime/tracing/tracing.js';

const spans = new WeakMap<Request, Span>();

/** Keeps the span of a request until a route takes the request. */
export function keepSpan(req: Request, span: Span): void {
  spans.set(req, span);
}

/** Returns the span of a request, if it has one, after adding the operation and the ids in the path. */
export function spanOf(req: Request, operation: string): Span | undefined {
  const span = spans.get(req);
  const { intentId, suspensionId } = req.params;
  span?.set({
    'holdpoint.operation': operation,
    ...entityAttribute('intent', intentId),
    ...entityAttribute('suspension', suspensionId),
  });
  return span;
}
