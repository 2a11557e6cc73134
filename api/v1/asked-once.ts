import { refusalOf } from '../errors.js';
import { idempotencyKeyReused } from '../parts/refusals.js';

/** The body of a request that asks; a repetition finds the question or approval by `request_key`. */
interface Asking {
  readonly request_key?: string | undefined;
}

/**
 * The `Idempotency-Key` where it names what is asked. Where the body has another `request_key`, that names it: HTTP libraries put a
 * new key on each request, and an agent that asks again still finds its question.
 */
export function namingKey(key: string | undefined, { request_key }: Asking): string | undefined {
  return request_key === undefined || request_key === key ? key : undefined;
}

/**
 * Asks under a key that names what is asked, which becomes its `request_key`.
 *
 * @throws RefusalError `idempotency_key_reused`, and the errors of `ask`
 */
export async function askedUnder<Body extends Asking, Asked>(
  key: string | undefined,
  body: Body,
  ask: (body: Body) => Promise<Asked>,
): Promise<Asked> {
  if (key === undefined) return ask(body);
  try {
    return await ask({ ...body, request_key: key });
  } catch (error) {
    throw refusalOf(error)?.code === 'request_key_reused' ? idempotencyKeyReused() : error;
  }
}
