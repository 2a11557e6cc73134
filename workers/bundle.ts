import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

/**
 * The workflow code as one bundle. `HOLDPOINT_WORKFLOW_BUNDLE` names a prebuilt file (see
 * `workers/build-bundle.ts`); without it the sources are bundled now, which takes a few seconds.
 */
export async function workflowBundle(env: NodeJS.ProcessEnv): Promise<WorkflowBundleOption> {
  const prebuilt = env['HOLDPOINT_WORKFLOW_BUNDLE'];
  return prebuilt ? { codePath: prebuilt } : bundleSources();
}

/** Bundles `workflows/` from its sources. */
export async function bundleSources(): Promise<{ code: string }> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL(`../workflows/index.${extension}`, import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
}
