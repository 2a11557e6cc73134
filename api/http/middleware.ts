import cors from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LevelWithSilent, Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { shortened } from '../../domain/kernel/text.js';
import { boundPathOf, routePatternOf } from './route.js';
import { callerOf, findCaller, principalIn } from './keys-and-roles.js';
import { AsyncResource } from 'node:async_hooks';
import { ipKeyGenerator, rateLimit, type Options } from 'express-rate-limit';
import type { LimitsConfig } from '../../contracts/server/config.js';
import { standardRefusal } from '../errors.js';

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
/** Reply headers that programs in a browser may read. */
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
/** The path of the codec, which only the pages of Temporal may use. */
const CODEC = /^\/codec(?:\/|$)/i;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const KEPT_SECONDS = 600;

/** Lets pages of these origins call the API with a key or a token; cookies are not sent, so no session counts. */
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

const SANE_ID = /^[\w.:-]{1,128}$/;

function requestId(req: IncomingMessage, res: ServerResponse): string {
  const sent = req.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}

/** Returns the ids in the path. That of a suspension is shortened, because an answer needs little more than this id. */
function pathIds(req: Request): Readonly<Record<string, string>> {
  // Undefined if no route took the request, although the type says otherwise.
  const { intentId, suspensionId } = (req.params as Request['params'] | undefined) ?? {};
  return {
    ...(typeof intentId === 'string' && { intent_id: intentId.slice(0, 36) }),
    ...(typeof suspensionId === 'string' && { suspension: shortened(suspensionId) }),
  };
}

/** Returns the line of a request. It never throws, for nothing catches an error there. */
function line(req: Request, res: ServerResponse, ms: number): object {
  try {
    return fieldsOf(req, res, ms);
  } catch {
    return { status: res.statusCode, ms };
  }
}

function fieldsOf(req: Request, res: ServerResponse, ms: number): object {
  return {
    method: req.method,
    route: routePatternOf(req) ?? null,
    ...pathIds(req),
    status: res.statusCode,
    ms,
    principal: findCaller(req)?.principal ?? null,
  };
}

/** Returns the level of a line: debug for probes, which come every few seconds; warn for a 503, which is temporary. */
function levelOf(req: Request, res: ServerResponse, error?: Error): LevelWithSilent {
  if (/\/(?:health|ready)$/.test(routePatternOf(req) ?? '')) return 'debug';
  if (res.statusCode === 503) return 'warn';
  return error !== undefined || res.statusCode >= 500 ? 'error' : 'info';
}

interface Timed {
  readonly responseTime: number;
}

/**
 * Gives every request an id (a valid `X-Request-Id` is kept) and logs one line when it ends, never with headers,
 * queries or bodies: they may hold keys, questions and answers.
 */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp<Request>({
    logger: log,
    genReqId: requestId,
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'request_id' },
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    customLogLevel: levelOf,
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    customSuccessObject: (req, res, { responseTime }: Timed) => line(req, res, responseTime),
    customErrorObject: (req, res, _error, { responseTime }: Timed) => line(req, res, responseTime),
  });
}

/**
 * Starts one request in each turn of the event loop. Otherwise all requests that arrive at the same moment would
 * start in one turn, and a probe of `/health` would wait for the last of them.
 */
export function startInTurns(): RequestHandler {
  const waiting: (() => void)[] = [];
  const startNext = (): void => {
    const next = waiting.shift();
    if (waiting.length > 0) setImmediate(startNext);
    next?.();
  };
  return (_req, _res, next) => {
    // Each continues in its own async context, not in that of the first request.
    waiting.push(
      AsyncResource.bind(() => {
        next();
      }),
    );
    if (waiting.length === 1) setImmediate(startNext);
  };
}

/**
 * Limits the requests of each principal, whatever keys, tokens and API it uses, and says how many are left in
 * `RateLimit` headers. Each process counts for itself, here and below.
 */
export function limitRequests({ requests_per_minute }: LimitsConfig): RequestHandler {
  const keyGenerator = (req: Request): string => principalIn(callerOf(req));
  return limited(requests_per_minute, { identifier: 'requests', keyGenerator });
}

/** Limits the requests of an address that need no key, in the same way. */
export function limitLinks({ links_per_minute }: LimitsConfig): RequestHandler {
  return limited(links_per_minute, { identifier: 'links' });
}

/** Limits the unsigned requests of an address: signed ones are neither counted nor refused. */
export function limitUnsigned(
  { links_per_minute }: LimitsConfig,
  isSigned: (req: Request) => boolean,
): RequestHandler {
  return limited(links_per_minute, { identifier: 'unsigned', skip: isSigned });
}

/** No person mistypes a key more often than this. */
const FAILURES_PER_MINUTE = 20;
/** The people behind one address need no more sign-ins than this. */
const SIGN_INS_PER_MINUTE = 120;

/** The redirects that report a failed sign-in. */
const failed = new WeakSet<Response>();

/** Counts a reply as a failed sign-in, although its status does not say so. */
export function noteFailedSignIn(res: Response): void {
  failed.add(res);
}

/** A failure of this server or of the issuer is no failed guess. */
function isNoGuess(_req: Request, res: Response): boolean {
  const { statusCode } = res;
  return !failed.has(res) && (statusCode < 400 || statusCode >= 500);
}

/** Whether a request neither opens a session nor goes to the issuer or back. Reading and ending a session has the usual limit. */
function isNoSignIn(req: Request): boolean {
  const path = boundPathOf(req);
  return path === '/' ? req.method !== 'POST' : path !== '/login' && path !== '/callback';
}

/**
 * Slows down guessing: refuses an address after too many failed sign-ins, or too many of any kind. A finder of the
 * routes has to run before it. The address is the one that a trusted proxy names, else the one that connected.
 */
export function limitSignIns(): readonly RequestHandler[] {
  const signIns = { code: 'too_many_sign_ins', skip: isNoSignIn } as const;
  return [
    limited(FAILURES_PER_MINUTE, {
      ...signIns,
      identifier: 'failed-tries',
      what: 'failed tries',
      skipSuccessfulRequests: true,
      requestWasSuccessful: isNoGuess,
    }),
    limited(SIGN_INS_PER_MINUTE, { ...signIns, identifier: 'sign-ins', what: 'sign-ins' }),
  ];
}

interface Limit extends Partial<Options> {
  readonly identifier: string;
  readonly code?: 'too_many_requests' | 'too_many_sign_ins';
  readonly what?: string;
}

/** Refuses more than `limit` requests a minute of one address, or of what `keyGenerator` returns. */
function limited(
  limit: number,
  { code = 'too_many_requests', what = 'requests', ...options }: Limit,
): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: ({ ip = '' }) => ipKeyGenerator(ip),
    ...options,
    handler: (_req, _res, next) => {
      next(standardRefusal(code, { accepted: `at most ${limit} ${what} a minute` }));
    },
  });
}
