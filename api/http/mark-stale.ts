import type { Response } from 'express';
import type { Read } from '../gateway/types.js';

/** Marks a reply that may be older than the caller's last write. */
export function markStale(res: Response, read: Read<unknown>): void {
  if (read.stale) res.setHeader('Holdpoint-Stale', 'true');
}
