/** A program of this project, without its extension: `.ts` from the sources, `.js` when built. */
export function siblingScript(relative: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`${relative}.${extension}`, import.meta.url);
}
