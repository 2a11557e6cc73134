import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import { DEPLOYMENT_NAME } from '../contracts/constants/names.js';
import type { DeploymentVersion } from '../temporal-config/deployment.js';

const HASH_DIGITS = 12;
/** A source map names folders of the machine that made the bundle, if that was not our own bundler. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=\S*\s*$/;

/** Returns the version of the workers that run this bundle: the package's version, and a hash of the workflow code. */
export async function versionOf(bundle: WorkflowBundleOption): Promise<DeploymentVersion> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  const hash = createHash('sha256').update(code.replace(SOURCE_MAP, '')).digest('hex');
  const buildId = `${packageVersion()}-${hash.slice(0, HASH_DIGITS)}`;
  return { deploymentName: DEPLOYMENT_NAME, buildId };
}

/** Returns the package's version. A build has its programs one folder deeper. */
function packageVersion(): string {
  const place = import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json';
  const text = readFileSync(new URL(place, import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Makes workers versioned. A workflow moves to the current version with its next task, because a question may outlive
 * any release.
 */
export function versioned(
  version: DeploymentVersion,
): Required<Pick<WorkerOptions, 'workerDeploymentOptions'>> {
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
