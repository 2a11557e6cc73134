import type { Request } from 'express';
import { entityAttribute } from '../../domain/kernel/span-attributes.js';
import { inSpan } from '../../runtime/tracing/tracing.js';
import type { Span } from '../../runtime/tracing/tracing.js';

const spans = new WeakMap<Request, Span>();

/** Keeps the span of a request for its route. */
export function keepSpan(req: Request, span: Span): void {
  spans.set(req, span);
}

/** Serves a request as part of its span, if it has one, which then names the operation and the ids in the path. */
export function servedInSpan<T>(req: Request, operation: string, serve: () => T): T {
  const span = spans.get(req);
  if (span === undefined) return serve();
  const { intentId, suspensionId } = req.params;
  span.set({
    'holdpoint.operation': operation,
    ...entityAttribute('intent', intentId),
    ...entityAttribute('suspension', suspensionId),
  });
  return inSpan(span, serve);
}
