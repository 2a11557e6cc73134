import type { Read } from '../gateway/types.js';

/** Marks a reply that may be older than the caller's last write. */
export function staleness({ stale }: Read<unknown>): { readonly 'Holdpoint-Stale'?: 'true' } {
  return stale ? { 'Holdpoint-Stale': 'true' } : {};
}
