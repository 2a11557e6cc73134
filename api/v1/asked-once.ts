import { RefusalError, refusalOf } from '../errors.js';
import { idempotencyKeyReused } from '../parts/refusals.js';

/** The body of a request that asks; a repetition finds the question or approval by `request_key`. */
interface Asking {
  readonly request_key?: string | undefined;
}

/**
 * Asks under the `Idempotency-Key` of the request, which becomes its `request_key`.
 *
 * @throws RefusalError `invalid_request` if the body has another `request_key`, `idempotency_key_reused`, and the errors of
 *   `ask`
 */
export async function askedUnder<Body extends Asking, Asked>(
  key: string | undefined,
  body: Body,
  ask: (body: Body) => Promise<Asked>,
): Promise<Asked> {
  if (key === undefined) return ask(body);
  const { request_key = key } = body;
  if (request_key !== key) {
    throw new RefusalError({
      code: 'invalid_request',
      detail: 'Idempotency-Key and request_key differ, and both would be the key of what is asked.',
      field: 'Idempotency-Key',
      accepted: 'the request_key of the body, or no such header',
    });
  }
  try {
    return await ask({ ...body, request_key });
  } catch (error) {
    throw refusalOf(error)?.code === 'request_key_reused' ? idempotencyKeyReused() : error;
  }
}
