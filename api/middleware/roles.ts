import type { RequestHandler } from 'express';
import type { Role } from '../../contracts/config.js';
import type { RespondRequest } from '../../contracts/suspension-requests.js';
import { RefusalError } from '../errors.js';
import type { Caller } from '../gateway/types.js';
import { callerOf } from './authenticate.js';

/** Lets a key pass that has the role, or is `admin` (R25-99). */
export function requireRole(role: Role): RequestHandler {
  return (req, _res, next) => {
    const { roles } = callerOf(req);
    if (!roles.has(role) && !roles.has('admin')) {
      throw new RefusalError({
        code: 'forbidden',
        detail: `This needs a key with the role ${role} or admin.`,
        accepted: `role ${role} or admin`,
      });
    }
    next();
  };
}

/**
 * Names who answers: the key's principal, unless an admin answers for somebody else (AM-17).
 *
 * @throws RefusalError `responded_by_mismatch`
 */
export function withResponder(caller: Caller, request: RespondRequest): RespondRequest {
  const responder = request.responded_by ?? caller.principal;
  if (responder !== caller.principal && !caller.roles.has('admin')) {
    throw new RefusalError({
      code: 'responded_by_mismatch',
      detail: 'responded_by is not the principal of this key; only an admin key may do that.',
      field: 'responded_by',
      accepted: 'the principal of the key, or nothing',
    });
  }
  return { ...request, responded_by: responder };
}
