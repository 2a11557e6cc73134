import type { Request } from 'express';
import { RefusalError } from '../errors.js';

const VERSION = /^(?:W\/)?"?(\d{1,15})"?$/;

/** A write that names no version; 400 for intents and 428 for tasks and plans. */
export class IfMatchRequired extends RefusalError {
  readonly status: 400 | 428;

  constructor(status: 400 | 428) {
    super({
      code: 'precondition_required',
      detail: 'Send the version you read as If-Match.',
      field: 'If-Match',
      accepted: 'an integer',
    });
    this.status = status;
  }
}

/**
 * The version a write builds on.
 *
 * @throws IfMatchRequired where it is missing or no integer
 */
export function versionOf(req: Request, status: 400 | 428 = 400): number {
  const match = VERSION.exec(req.get('If-Match')?.trim() ?? '');
  if (match?.[1] !== undefined) return Number(match[1]);
  throw new IfMatchRequired(status);
}
