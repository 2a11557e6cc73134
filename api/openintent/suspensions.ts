import type { z } from 'zod';
import type { RespondRequest } from '../../contracts/suspension/requests.js';
import type { RespondResult } from '../../contracts/suspension/view.js';
import { metadataWithNotes, withNotesInPlace } from '../../domain/suspension/answering/response.js';
import { RefusalError, refusalOf } from '../errors.js';
import { REQUEST_HEADERS } from '../http/headers.js';
import { runFor, type Binding, type RouteCall } from '../http/route.js';
import { getSuspension } from '../usecases/suspension/read.js';
import { respond } from '../usecases/suspension/respond.js';
import { InvalidChoice } from './errors.js';
import { openIntentRoute } from './route.js';
import { respondSchema } from './schemas.js';
import { naiveTime } from './wire.js';

/**
 * Returns the answer in a body. Metadata may hold a comment and data, which are fields in `/v1`. This API cannot ask
 * back, so an answer counts even if somebody else has claimed the question.
 */
function answerOf(body: z.output<typeof respondSchema>): RespondRequest {
  const { suspension_id, value, responded_by, question_version, metadata } = body;
  if (suspension_id === '') {
    const detail = 'suspension_id is required';
    throw new RefusalError({ code: 'missing_suspension_id', detail });
  }
  const isEmpty = Object.keys(metadata ?? {}).length === 0;
  return withNotesInPlace({
    suspension_id,
    value,
    despite_claim: true,
    ...(responded_by && { responded_by }),
    ...(question_version && { question_version }),
    ...(metadata && !isEmpty && { metadata }),
  });
}

/** Returns the result as the SDK parses it: a choice always has a description, even an empty one. */
function wireResult({
  choice_label,
  choice_description = '',
  comment,
  data,
  metadata: plain,
  ...result
}: RespondResult) {
  const metadata = metadataWithNotes({ comment, data, metadata: plain });
  const responded_at = naiveTime(result.responded_at);
  const choice = choice_label !== undefined && { choice_label, choice_description };
  return { ...result, responded_at, ...choice, ...(metadata && { metadata }) };
}

async function withChoices(
  call: RouteCall,
  error: unknown,
  { suspension_id, value }: RespondRequest,
) {
  const refusal = refusalOf(error);
  if (refusal?.code !== 'invalid_value' || refusal.field !== 'value') return error;
  const read = await runFor(call, getSuspension)(suspension_id);
  return InvalidChoice.of(read.value.record, value) ?? error;
}

/** Answers of operators: 200 once the answer counts, 202 if no worker has taken it yet. */
export const SUSPENSION_ROUTES: readonly Binding[] = [
  openIntentRoute(respond, 'POST /intents/:intentId/suspend/respond', {
    body: respondSchema,
    async handle({ run, call, id, body }) {
      const answer = answerOf(body);
      const intent_id = id('intentId');
      const key = REQUEST_HEADERS['Idempotency-Key'].read(call.req);
      const outcome = await run(intent_id, answer, key).catch(async (error: unknown) => {
        throw await withChoices(call, error, answer);
      });
      if (outcome.accepted) return wireResult(outcome.result);
      call.res.status(202);
      return { intent_id, suspension_id: outcome.suspension_id, status: 'handed_over' };
    },
  }),
];
