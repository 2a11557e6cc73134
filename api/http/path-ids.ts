import type { Request } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { isEntityId } from '../gateway/ids.js';

function idOf(req: Request, name: string, missing: ErrorCode): string {
  const value = req.params[name];
  if (typeof value === 'string' && isEntityId(value)) return value;
  throw new RefusalError({ code: missing, detail: ERRORS[missing][2] });
}

/** The intent a path names; what is no id of ours is not found (R25-80). */
export function intentIdOf(req: Request): string {
  return idOf(req, 'intentId', 'intent_not_found');
}

/** The suspension a path names. */
export function suspensionIdOf(req: Request): string {
  return idOf(req, 'suspensionId', 'suspension_not_found');
}

/** The lease a path names. */
export function leaseIdOf(req: Request): string {
  return idOf(req, 'leaseId', 'lease_not_found');
}
