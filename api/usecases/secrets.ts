import { secretRefusal } from '../../runtime/secrets.js';
import { RefusalError } from '../errors.js';
import type { Call } from './usecase.js';

/**
 * Refuses a question that holds what looks like a credential.
 *
 * @throws RefusalError `secret_refused`
 */
export async function refuseSecrets({ parts }: Call, question: object): Promise<void> {
  const refusal = await secretRefusal(question, parts.config.suspension);
  if (refusal !== undefined) throw new RefusalError(refusal);
}
