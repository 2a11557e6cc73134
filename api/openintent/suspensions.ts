import type { z } from 'zod';
import type { RespondRequest } from '../../contracts/suspension-requests.js';
import type { RespondResult } from '../../contracts/suspension-view.js';
import { metadataWithNotes, withNotesInPlace } from '../../domain/suspension/notes.js';
import { RefusalError, refusalOf } from '../errors.js';
import { REQUEST_HEADERS } from '../http/headers.js';
import { runFor } from '../http/route.js';
import type { Binding } from '../http/route.js';
import type { Call } from '../operations/operation.js';
import { SUSPENSIONS } from '../operations/suspension.js';
import { InvalidChoice } from './errors.js';
import { openIntentRoute } from './route.js';
import { respondSchema } from './schemas.js';
import { naiveTime } from './wire.js';

/**
 * The answer in a body; empty metadata count as none, and hold a comment and data where `/v1` has fields. This API cannot ask back, so an answer counts whoever has claimed the
 * question.
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

/** The SDK expects a description of the choice, even if it is empty. */
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

/** A value that is none of the choices is refused with all choices. */
async function withChoices(call: Call, error: unknown, { suspension_id, value }: RespondRequest) {
  const refusal = refusalOf(error);
  if (refusal?.code !== 'invalid_value' || refusal.field !== 'value') return error;
  const read = await runFor(call, SUSPENSIONS.getSuspension)(suspension_id);
  return InvalidChoice.of(read.value.record, value) ?? error;
}

/** Answers of operators: 200 once the answer counts, 202 where no worker has taken it yet. */
export const SUSPENSION_ROUTES: readonly Binding[] = [
  openIntentRoute(SUSPENSIONS.respond, {
    method: 'post',
    path: '/intents/:intentId/suspend/respond',
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
