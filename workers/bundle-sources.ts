import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');
/** What the SDK looks for at the end of a bundle, and refuses a bundle without. */
const SOURCE_MAP = /(\n\/\/# sourceMappingURL=data:application\/json;[^,]*,)([\w+/=]+)\s*$/;

/**
 * Bundles `workflows/` from its sources.
 *
 * @param interceptors - files with interceptors of workflows, besides our own
 */
export async function bundleSources(
  interceptors: readonly string[] = [],
): Promise<{ code: string }> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const file = (name: string): string =>
    fileURLToPath(new URL(`../workflows/${name}.${extension}`, import.meta.url));
  const own = [file('engine/query-guard'), file('engine/tracing')];
  const { code } = await bundleWorkflowCode({
    workflowsPath: file('index'),
    workflowInterceptorModules: [...own, ...interceptors],
    // Loaded once for all workflows of a worker: no module of ours keeps state of its own (docs/adr/0058).
    preloadModules: [file('index'), ...own],
    logger: new DefaultLogger('WARN'),
  });
  return { code: slim(code) };
}

/**
 * A bundle with a source map that tells files and lines alone: the text of the sources makes up half of it, which
 * every worker would read, and the paths on the machine that built it are nobody's business.
 */
export function slim(code: string): string {
  return code.replace(SOURCE_MAP, (_all, start: string, encoded: string) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { sources: string[] };
    const sources = map.sources.map((file) => path.relative(ROOT, file));
    const lean = JSON.stringify({ ...map, sources, sourcesContent: undefined });
    return start + Buffer.from(lean).toString('base64');
  });
}
