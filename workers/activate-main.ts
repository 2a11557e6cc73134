import { parseArgs } from 'node:util';
import { DEPLOYMENT_NAME } from '../contracts/constants/names.js';
import { wantsVersioning } from '../runtime/config.js';
import { StartupError, runMain, say } from '../runtime/program.js';
import { UsageError, meantOption } from '../runtime/usage.js';
import { connectOnce, connectionOptions } from '../temporal-config/connection.js';
import { activate, deactivate, ramp, statusOf } from '../temporal-config/deployment.js';
import { versionOf } from './versioning.js';
import { workflowBundle } from './worker-options.js';

const USAGE =
  'Usage: holdpoint activate [--build <build id> | --unversioned] [--ramp <percent below 100>] [--wait <seconds>] [--status], or npm run activate -- …';
const WAIT_SECONDS = '60';

/**
 * `npm run activate`: makes this package's version of the workers, or that of `--build`, current once its workers are
 * there; with `--ramp` it gets a share of the workflows. `--unversioned` makes workers without a version current
 * again. `--status` changes nothing: it prints the version, and how Temporal uses it.
 */
async function main(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const { build, unversioned, percentage, wait, status } = optionsOf(args);
  if (!wantsVersioning(env) && !unversioned) {
    throw new StartupError('HOLDPOINT_WORKER_VERSIONING is false: there is nothing to activate.');
  }
  const { connection: options, namespace } = connectionOptions(env);
  const connection = await connectOnce(options);
  if (unversioned) {
    const version = { deploymentName: DEPLOYMENT_NAME, buildId: '' };
    const previous = await deactivate({ connection, namespace, version });
    say(`Workers without a version get every task from now on. ${before(previous)}`);
  } else {
    const version =
      build === undefined
        ? await versionOf(await workflowBundle(env, say))
        : { deploymentName: DEPLOYMENT_NAME, buildId: build };
    const activation = { connection, namespace, version, limitMs: wait * 1_000, log: say };
    if (status) {
      say(`${version.buildId} ${await statusOf(activation)}`);
    } else if (percentage === undefined) {
      const previous = await activate(activation);
      say(`Workers of version ${version.buildId} get every task from now on. ${before(previous)}`);
    } else {
      await ramp(activation, percentage);
      say(shareOf(version.buildId, percentage));
    }
  }
  await connection.close();
}

function shareOf(buildId: string, percentage: number): string {
  if (percentage === 0) return 'No version gets a share of the workflows any more.';
  return `Workers of version ${buildId} get ${percentage} % of the workflows from now on; without --ramp they get all.`;
}

function before(previous: string | undefined): string {
  return previous === undefined
    ? 'Before, workers without a version got them.'
    : `Before, it was ${previous}.`;
}

/** @throws UsageError that says how it is used */
function optionsOf(args: readonly string[]) {
  let meant = '';
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        build: { type: 'string' },
        unversioned: { type: 'boolean', default: false },
        ramp: { type: 'string' },
        wait: { type: 'string', default: WAIT_SECONDS },
        status: { type: 'boolean', default: false },
      },
    });
    const { build, unversioned, ramp: share, wait, status } = values;
    const isOne = !unversioned || (build === undefined && share === undefined && !status);
    if (isOne && /^\d{1,4}$/.test(wait) && /^\d{1,2}$/.test(share ?? '0')) {
      const percentage = share === undefined ? undefined : Number(share);
      return { build, unversioned, percentage, wait: Number(wait), status };
    }
  } catch (error) {
    meant = meantOption(error, ['build', 'unversioned', 'ramp', 'wait', 'status']);
  }
  throw new UsageError(`${meant} ${USAGE}`.trim());
}

await runMain(() => main(process.env, process.argv.slice(2)));
