import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { SUSPEND_CODES, suspendRequestSchema } from '../../contracts/suspension/requests.js';
import { boundedRefusal } from '../../domain/kernel/bounded.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import { authorize } from '../../domain/policy/authorize.js';
import { createMcpServer, questionPage, type Asker } from '../../mcp/server.js';
import { traceOf } from '../../runtime/program.js';
import { demand, refusalOf, standardRefusal } from '../errors.js';
import { jsonOf } from '../http/input.js';
import { requestIdOf } from '../http/problem.js';
import { runFor, type Binding, type RouteCall, type Run } from '../http/route.js';
import type { UseCase } from '../usecases/usecase.js';
import { useMcp } from '../usecases/server/about.js';
import { openSuspension } from '../usecases/suspension/open.js';
import { getSuspension } from '../usecases/suspension/read.js';
import { waitForSuspension } from '../usecases/suspension/wait.js';
import { cancelSuspension } from '../usecases/suspension/withdraw.js';

const QUESTION = jsonOf(suspendRequestSchema, SUSPEND_CODES);

/** Returns an operation that demands the right of the caller first, like its own route. */
function allowed<U extends UseCase>(call: RouteCall, operation: U): Run<U> {
  const run = runFor(call, operation);
  return (...input) => {
    demand(authorize(call.caller, operation.name));
    return run(...input);
  };
}

/** Reaches the service by its own operations, with the same rules as the other APIs. */
function askerOf(call: RouteCall, log: Logger): Asker {
  const { config, longPolls, res } = call;
  return {
    async ask(question) {
      const { view, warnings } = await allowed(call, openSuspension)(QUESTION.read(question));
      return { ...view, warnings };
    },
    async wait(ticket, seconds) {
      if (seconds === 0) return (await allowed(call, getSuspension)(ticket)).value;
      const signal = longPolls.signalFor(res, 'long_polls');
      const options = { timeoutSeconds: seconds, signal };
      return (await allowed(call, waitForSuspension)(ticket, options)).value;
    },
    async withdraw(ticket, reason) {
      const request = { suspension_id: ticket, ...(reason !== undefined && { reason }) };
      await allowed(call, cancelSuspension)(undefined, request);
    },
    pageOf(ticket) {
      const { public_url } = config;
      return public_url === undefined ? null : questionPage(public_url, ticket);
    },
    told(error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return boundedRefusal(refusal);
      log.error({ request_id: requestIdOf(res), error: traceOf(error) }, 'unexpected error');
      return standardRefusal('internal').refusal;
    },
  };
}

/**
 * Refuses long ids of messages and names of tools with `invalid_request`, because the errors of the library repeat
 * them whole.
 */
function checkEchoed(body: unknown): Ruling<true> {
  const { id, params } = isObject(body) ? body : {};
  const echoed = { id, 'params.name': isObject(params) ? params['name'] : undefined };
  for (const [field, value] of Object.entries(echoed)) {
    if (typeof value !== 'string' || value.length <= LIMITS.nameCharacters) continue;
    const accepted = `a text of at most ${LIMITS.nameCharacters} characters`;
    return refuse('invalid_request', `${field} is too long.`, { field, accepted });
  }
  return ok(true);
}

/**
 * Returns the route for models (MCP): one tool call a request, without sessions. The stateless fallback serves clients of
 * 2025. It opens no streams, for the tools never change.
 */
export function mcpRoutes(log: Logger): readonly Binding[] {
  return [
    {
      operation: useMcp,
      method: 'post',
      path: '/',
      takesBody: true,
      async serve(call) {
        const { req, res } = call;
        demand(checkEchoed(req.body));
        const onerror = (error: Error): void => {
          log.info({ request_id: requestIdOf(res), error: traceOf(error) }, 'tool call refused');
        };
        const handler = createMcpHandler(() => createMcpServer(askerOf(call, log)), {
          maxSubscriptions: 0,
          onerror,
        });
        try {
          await toNodeHandler(handler, { onerror })(req, res, req.body);
        } finally {
          await handler.close();
        }
      },
    },
  ];
}
