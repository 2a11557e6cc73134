import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { LevelWithSilent, Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { shortened } from '../../domain/kernel/text.js';
import { routePatternOf } from './route.js';
import { findCaller } from './keys-and-roles.js';

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
 * Gives every request an id (a sane `X-Request-Id` is kept) and logs one line when it ends. Headers, queries and bodies are
 * never logged, so the log holds no key, question, context or value.
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
