import type { z } from 'zod';
import type { RespondRequest } from '../../contracts/suspension-requests.js';
import { RefusalError, refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/index.js';
import type { RespondOutcome } from '../gateway/suspension/answers.js';
import { REQUEST_HEADERS } from '../http/headers.js';
import { callerOf, withResponder } from '../http/keys-and-roles.js';
import { InvalidChoice } from './errors.js';
import { openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { respondSchema } from './schemas.js';
import { naiveTime } from './wire.js';

/** The answer that a body stands for; metadata without a name count as none. */
function answerOf(body: z.output<typeof respondSchema>): RespondRequest {
  const { suspension_id, value, responded_by, metadata } = body;
  if (suspension_id === '') {
    const detail = 'suspension_id is required';
    throw new RefusalError({ code: 'missing_suspension_id', detail });
  }
  const isEmpty = Object.keys(metadata ?? {}).length === 0;
  return {
    suspension_id,
    value,
    ...(responded_by && { responded_by }),
    ...(metadata && !isEmpty && { metadata }),
  };
}

type Result = Extract<RespondOutcome, { accepted: true }>['result'];

/** A choice that was taken has a description, if an empty one. */
function wireResult({ choice_label, choice_description = '', ...told }: Result) {
  const responded_at = naiveTime(told.responded_at);
  const choice = choice_label !== undefined && { choice_label, choice_description };
  return { ...told, responded_at, ...choice };
}

/**
 * `POST /intents/{id}/suspend/respond` (§3.3): 200 once the answer counts, 202 where no worker has taken it
 * yet. `agents` are principals that never answer.
 */
export function respondRoutes(
  gateway: Gateway,
  agents: ReadonlySet<string>,
): readonly OpenIntentRoute[] {
  /** A value that is none of the choices is told with the choices there are. */
  async function withChoices(error: unknown, { suspension_id, value }: RespondRequest) {
    if (refusalOf(error)?.code !== 'invalid_value') return error;
    const read = await gateway.getSuspension(suspension_id);
    return InvalidChoice.of(read.value.record, value) ?? error;
  }

  return [
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/suspend/respond',
      access: 'operator',
      body: respondSchema,
      async handle({ req, res, id, body }) {
        const caller = callerOf(req);
        const request = withResponder(caller, answerOf(body), agents);
        const intent_id = id('intentId');
        const key = REQUEST_HEADERS['Idempotency-Key'].read(req);
        const outcome = await gateway
          .respond(caller, intent_id, request, key)
          .catch(async (error: unknown) => {
            throw await withChoices(error, request);
          });
        if (outcome.accepted) return wireResult(outcome.result);
        res.status(202);
        return { intent_id, suspension_id: outcome.suspension_id, status: 'handed_over' };
      },
    }),
  ];
}
