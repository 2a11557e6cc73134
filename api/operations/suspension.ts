import type { EngagementSignals } from '../../contracts/engagement.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { RespondRequest, SuspendRequest } from '../../contracts/suspension-requests.js';
import { secretRefusal } from '../../runtime/secrets.js';
import { RefusalError, refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/index.js';
import { READ, WRITE, asCaller, forAnyone, operations } from './operation.js';
import type { Call } from './operation.js';

/**
 * Refuses a question that holds what looks like a credential.
 *
 * @throws RefusalError `secret_refused`
 */
export async function refuseSecrets({ config }: Call, question: object): Promise<void> {
  const refusal = await secretRefusal(question, config.suspension);
  if (refusal !== undefined) throw new RefusalError(refusal);
}

/** Refuses a `context` over 64 KiB, counted as UTF-8 JSON. */
function refuseLargeContext(context: JsonObject | undefined): void {
  if (context === undefined) return;
  if (Buffer.byteLength(JSON.stringify(context)) <= LIMITS.contextBytes) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'context is too large.',
    field: 'context',
    accepted: `at most ${LIMITS.contextBytes} bytes of JSON`,
  });
}

/**
 * Names who answers: the key's principal, unless an admin answers for somebody else, who is no agent,
 * for an agent never answers for a person.
 *
 * @throws RefusalError `responded_by_mismatch`
 */
export function withResponder(
  { caller, agents }: Pick<Call, 'caller' | 'agents'>,
  request: RespondRequest,
): RespondRequest {
  const responder = request.responded_by ?? caller.principal;
  if (responder === caller.principal) return { ...request, responded_by: responder };
  const field = 'responded_by';
  if (!caller.roles.has('admin')) {
    throw new RefusalError({
      code: 'responded_by_mismatch',
      detail: 'responded_by is not the principal of this key; only an admin key may do that.',
      field,
      accepted: 'the principal of the key, or nothing',
    });
  }
  if (agents.has(responder)) {
    throw new RefusalError({
      code: 'responded_by_mismatch',
      detail: 'responded_by is an agent, and agents do not answer.',
      field,
      accepted: 'the name of the person who answers',
    });
  }
  return { ...request, responded_by: responder };
}

/** A wait that was cut short changed nothing, so the same request may be sent again. */
function interrupted(error: unknown): unknown {
  if (refusalOf(error) !== undefined) return error;
  return new RefusalError({ code: 'workflow_unavailable', detail: 'The wait was interrupted.' });
}

/** Questions: asked, answered, withdrawn, read and waited for. */
export const SUSPENSIONS = operations({
  /** The intent waits for the answer. */
  suspend: {
    resource: 'intent',
    access: 'agent',
    refusals: [
      'intent_not_active',
      'intent_suspended',
      'intent_closed',
      'secret_refused',
      'request_key_reused',
      'state_too_large',
      ...WRITE,
    ],
    async run(call, intentId: string, request: SuspendRequest) {
      await refuseSecrets(call, request);
      return call.gateway.suspend(call.caller, intentId, request);
    },
  },
  /** Nothing but its asker waits for the answer. */
  openSuspension: {
    resource: 'suspension',
    access: 'agent',
    refusals: ['request_key_reused', 'secret_refused', ...READ],
    async run(call, request: SuspendRequest) {
      await refuseSecrets(call, request);
      return call.gateway.openSuspension(call.caller, request);
    },
  },
  /** By whoever asked the question, or an admin. */
  cancelSuspension: {
    resource: 'suspension',
    access: 'agent',
    refusals: ['suspension_settled', ...WRITE],
    run: asCaller('cancel'),
  },
  respond: {
    resource: 'suspension',
    access: 'operator',
    refusals: [
      'responded_by_mismatch',
      'suspension_settled',
      'invalid_value',
      'idempotency_key_reused',
      ...WRITE,
    ],
    run: (call, intentId: string | undefined, request: RespondRequest, idempotencyKey?: string) =>
      call.gateway.respond(call.caller, intentId, withResponder(call, request), idempotencyKey),
  },
  getSuspension: {
    resource: 'suspension',
    access: 'any',
    refusals: READ,
    run: forAnyone('getSuspension'),
  },
  /** Until it is settled, has passed an attempt, or the time is over. */
  waitForSuspension: {
    resource: 'suspension',
    access: 'any',
    refusals: READ,
    run: (
      { gateway },
      suspensionId: string,
      options: Parameters<Gateway['waitForSuspension']>[1],
    ) =>
      gateway.waitForSuspension(suspensionId, options).catch((error: unknown) => {
        throw options.signal.aborted ? interrupted(error) : error;
      }),
  },
  listSuspensions: {
    resource: 'suspension',
    access: 'any',
    refusals: ['store_unavailable'],
    run: asCaller('listSuspensions'),
  },
  countSuspensions: {
    resource: 'suspension',
    access: 'any',
    refusals: ['store_unavailable'],
    run: asCaller('countSuspensions'),
  },
  /** Should the agent ask? The decision is recorded. */
  engage: {
    resource: 'intent',
    access: 'agent',
    refusals: ['intent_closed', ...WRITE],
    async run({ gateway, caller }, intentId: string, signals: EngagementSignals) {
      refuseLargeContext(signals.context);
      return gateway.engage(caller, intentId, signals);
    },
  },
});
