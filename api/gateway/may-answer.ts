import type { Caller } from './types.js';

/** Whether a caller's role lets it answer, so that it may see which suspensions are open (AM-45). */
export function mayAnswer({ roles }: Caller): boolean {
  return roles.has('operator') || roles.has('admin');
}
