import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import type { BundleOptions } from '@temporalio/worker';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');
/** As in tsconfig.json. */
const TARGET = 'es2022';
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
    webpackConfigHook: asNodeRunsIt,
  });
  return { code: slim(code) };
}

type WebpackConfig = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];

/** The part of the SDK's rule for TypeScript that is changed. */
interface Compiling {
  readonly use: { readonly options: { readonly jsc: { target: string } } };
}

/** Compiles TypeScript sources to the target of a build, so that tests run what a build runs. The SDK would compile to ES2017. */
export function asNodeRunsIt(config: WebpackConfig): WebpackConfig {
  const rules = config.module?.rules as readonly Partial<Compiling>[] | undefined;
  const compiling = rules?.filter((rule): rule is Compiling => 'jsc' in (rule.use?.options ?? {}));
  if (compiling?.length !== 1) throw new Error('The SDK bundles TypeScript in another way now.');
  for (const { use } of compiling) use.options.jsc.target = TARGET;
  return config;
}

/** Reduces the source map of a bundle to files and lines: the text of the sources is half of it, and paths of the machine are private. */
export function slim(code: string): string {
  return code.replace(SOURCE_MAP, (_all, start: string, encoded: string) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { sources: string[] };
    const sources = map.sources.map((file) => path.relative(ROOT, file));
    const lean = JSON.stringify({ ...map, sources, sourcesContent: undefined });
    return start + Buffer.from(lean).toString('base64');
  });
}
