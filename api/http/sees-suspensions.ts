import type { Caller, Gateway } from '../gateway/types.js';
import { mayAnswer } from '../gateway/may-answer.js';

/**
 * Whether a caller may read which suspensions an intent has: it may answer, or made the intent (AM-45).
 * Throws what `getIntent` throws.
 */
export async function seesSuspensions(
  gateway: Pick<Gateway, 'getIntent'>,
  caller: Caller,
  intentId: string,
): Promise<boolean> {
  if (mayAnswer(caller)) return true;
  const { value } = await gateway.getIntent(intentId);
  return value.created_by === caller.principal;
}
