import cors from 'cors';
import type { RequestHandler } from 'express';

/** What programs in a browser send: who they are, what they send, and what a write or a stream goes on from. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Last-Event-ID',
  'traceparent',
  'X-API-Key',
];
/** What they may read of a reply besides its body. */
const READ = [
  'Date',
  'ETag',
  'Holdpoint-Feed-Position',
  'Holdpoint-Stale',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const KEPT_SECONDS = 600;

/**
 * Lets pages of these origins call the API with a key or a token. A session of a browser is not theirs: no cookie is let
 * through. It grants nothing: each request is judged as any other.
 */
export function letOrigins(origins: readonly string[]): RequestHandler {
  return cors({
    // Compared whole: a list of one would be sent to every origin.
    origin: (origin, answer) => {
      answer(null, origin !== undefined && origins.includes(origin));
    },
    methods: METHODS,
    allowedHeaders: SENT,
    exposedHeaders: READ,
    credentials: false,
    maxAge: KEPT_SECONDS,
  });
}
