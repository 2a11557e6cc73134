import type { ServerConfig } from '../../contracts/config.js';
import { RefusalError } from '../errors.js';
import { findSecret } from './find-secret.js';

/** Passes a question that holds no credential; rejects with `secret_refused` otherwise. */
export type SecretCheck = (question: object) => Promise<void>;

/**
 * The check that every request passes which opens a suspension, before anything of it is kept (R25-101,
 * R26-87). `suspension.refuse_secrets: false` switches it off.
 */
export function createSecretCheck({ refuse_secrets }: ServerConfig['suspension']): SecretCheck {
  return async (question) => {
    const found = refuse_secrets ? await findSecret(question) : undefined;
    if (found === undefined) return;
    throw new RefusalError({
      code: 'secret_refused',
      detail: `${found.field} holds what looks like a credential (${found.kind}).`,
      field: found.field,
      accepted: 'text without credentials; send a reference instead',
    });
  };
}
