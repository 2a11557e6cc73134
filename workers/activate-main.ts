import { parseArgs } from 'node:util';
import { DEPLOYMENT_NAME } from '../contracts/constants/names.js';
import { wantsVersioning } from '../runtime/config.js';
import { StartupError, runMain, say } from '../runtime/program.js';
import { UsageError, meantOption } from '../runtime/usage.js';
import { connectOnce } from '../temporal-config/connect-once.js';
import { connectionOptions } from '../temporal-config/connection.js';
import { activate, deactivate } from '../temporal-config/deployment.js';
import { versionOf } from './versioning.js';
import { workflowBundle } from './worker-options.js';

const USAGE =
  'Usage: holdpoint activate [--build <build id> | --unversioned] [--wait <seconds>], or npm run activate -- …';
const WAIT_SECONDS = '60';

/**
 * `npm run activate`: makes the version of the workers that this package is, or the one that `--build` names, the one
 * that gets every task, once its workers are there. With `--unversioned` workers without a version get them again.
 */
async function main(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const { build, unversioned, wait } = optionsOf(args);
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
    const limitMs = wait * 1_000;
    const previous = await activate({ connection, namespace, version, limitMs, log: say });
    say(`Workers of version ${version.buildId} get every task from now on. ${before(previous)}`);
  }
  await connection.close();
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
        wait: { type: 'string', default: WAIT_SECONDS },
      },
    });
    const isOne = values.build === undefined || !values.unversioned;
    if (isOne && /^\d{1,4}$/.test(values.wait)) return { ...values, wait: Number(values.wait) };
  } catch (error) {
    meant = meantOption(error, ['build', 'unversioned', 'wait']);
  }
  throw new UsageError(`${meant} ${USAGE}`.trim());
}

await runMain(() => main(process.env, process.argv.slice(2)));
