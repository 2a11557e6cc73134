import type { ServerConfig } from '../../contracts/config.js';
import { secretRefusal } from '../../secrets/secret-refusal.js';
import { RefusalError } from '../errors.js';

/** Passes a question that holds no credential; rejects with `secret_refused` otherwise. */
export type SecretCheck = (question: object) => Promise<void>;

/** The check that every request passes which opens a suspension. */
export function createSecretCheck(config: ServerConfig['suspension']): SecretCheck {
  return async (question) => {
    const refusal = await secretRefusal(question, config);
    if (refusal !== undefined) throw new RefusalError(refusal);
  };
}
