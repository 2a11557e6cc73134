import cors from 'cors';
import type { RequestHandler } from 'express';

/** Request headers that programs in a browser may send. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Holdpoint-Written',
  'Idempotency-Key',
  'If-Match',
  'Last-Event-ID',
  'traceparent',
  'X-API-Key',
];
/** Reply headers that they may read. */
const READ = [
  'Date',
  'ETag',
  'Holdpoint-Feed-Position',
  'Holdpoint-Stale',
  'Holdpoint-Written',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];
/** The path of the codec, whose pages are those of Temporal alone. */
const CODEC = /^\/codec(?:\/|$)/i;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const KEPT_SECONDS = 600;

/**
 * Lets pages of these origins call the API with a key or a token, but not with a session: cookies are not sent. Each
 * request is judged like any other.
 */
export function letOrigins(origins: readonly string[]): RequestHandler {
  const others = cors({
    // A function, because a list with one origin would be sent to every origin.
    origin: (origin, answer) => {
      answer(null, origin !== undefined && origins.includes(origin));
    },
    methods: METHODS,
    allowedHeaders: SENT,
    exposedHeaders: READ,
    credentials: false,
    maxAge: KEPT_SECONDS,
  });
  return (req, res, next) => (CODEC.test(req.path) ? next() : others(req, res, next));
}

/**
 * Lets the pages of Temporal use the codec, with a token or with the session of the person who has them open: browsers send
 * the cookie if both have the same site.
 */
export function letCodecOrigin(origin: string): RequestHandler {
  return cors({
    origin: (sender, answer) => {
      answer(null, sender === origin);
    },
    methods: ['POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Namespace'],
    credentials: true,
    maxAge: KEPT_SECONDS,
  });
}
