/** The version of an intent, a task or a plan as `ETag`, which `If-Match` takes. */
export function versionTag({ version }: { readonly version: number }): { readonly ETag: string } {
  return { ETag: `"${version}"` };
}
