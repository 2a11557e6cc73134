import type { Request } from 'express';
import { RefusalError } from '../errors.js';

const VERSION = /^(?:W\/)?"?(\d{1,15})"?$/;

/**
 * The version a write builds on.
 *
 * @throws RefusalError `precondition_required` where it is missing or no integer
 */
export function versionOf(req: Request): number {
  const match = VERSION.exec(req.get('If-Match')?.trim() ?? '');
  if (match?.[1] !== undefined) return Number(match[1]);
  throw new RefusalError({
    code: 'precondition_required',
    detail: 'Send the version you read as If-Match.',
    field: 'If-Match',
    accepted: 'an integer',
  });
}
