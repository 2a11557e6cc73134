import type { ServerConfig } from '../contracts/config.js';
import type { Refusal } from '../contracts/refusal.js';
import { findSecret } from './find-secret.js';

/**
 * Why a question cannot be kept that holds what looks like a credential; undefined where it can (R25-101,
 * R26-87). Every way to ask goes past it before anything is kept. `suspension.refuse_secrets: false`
 * switches it off.
 */
export async function secretRefusal(
  question: unknown,
  { refuse_secrets }: ServerConfig['suspension'],
): Promise<Refusal | undefined> {
  const found = refuse_secrets ? await findSecret(question) : undefined;
  if (found === undefined) return undefined;
  return {
    code: 'secret_refused',
    detail: `${found.field} holds what looks like a credential (${found.kind}).`,
    field: found.field,
    accepted: 'text without credentials; send a reference instead',
  };
}
