import type { Intent } from '../../contracts/intent.js';

/** An intent's version as `ETag`, which `If-Match` takes. */
export function versionTag({ version }: Intent): { readonly ETag: string } {
  return { ETag: `"${version}"` };
}
