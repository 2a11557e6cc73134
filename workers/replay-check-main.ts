import { Client } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { parseArgs } from 'node:util';
import { PUMP, RECONCILIATION, UPKEEP, WORKFLOW_TYPES } from '../contracts/constants/names.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { StartupError, oneLine, runMain, say } from '../runtime/program.js';
import { UsageError, meantOption } from '../runtime/usage.js';
import { connectOnce, connectionOptions, saidIfCut } from '../temporal-config/connection.js';
import { checkType, type Checked } from './replay-check.js';
import { versionOf } from './versioning.js';
import { workflowBundle } from './worker-options.js';
import { defined } from '../contracts/constants/defined.js';

const USAGE =
  'Usage: holdpoint replay-check [--most <workflows of each type>] [--type <workflow type> …], or npm run replay-check -- …';
const MOST = '50';
/** Names that may be inserted into a query of Temporal's. */
const TYPE = /^[\w.-]{1,200}$/;
const TYPES = [...Object.values(WORKFLOW_TYPES), PUMP.type, UPKEEP.type, RECONCILIATION.type];

/**
 * `npm run replay-check`: replays a sample of the open workflows of an installation against the workflow code of this
 * package, before it is rolled out. It only reads.
 */
async function main(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const { most, types } = optionsOf(args);
  const { connection: options, namespace } = connectionOptions(env);
  const dataConverter = await loadDataConverter(env, process.cwd());
  const bundle = await workflowBundle(env, say);
  // The findings of a replay are printed below, and need not be logged.
  const logging = { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } as const;
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
  const connection = await connectOnce(options);
  const client = new Client({ connection, namespace });
  const how = { workflowBundle: bundle, ...defined({ dataConverter }) };
  let [failed, replayed] = [0, 0];
  for (const type of types) {
    const checked = await saidIfCut('The check', checkType(client, type, most, how));
    report(checked);
    failed += checked.failures.length;
    replayed += checked.replayed;
  }
  await connection.close();
  const { buildId } = await versionOf(bundle);
  const summary = `of ${replayed} open workflows, ${replayed - failed} go on with version ${buildId}`;
  if (failed > 0) throw new StartupError(`${failed} cannot: ${summary}. Do not roll it out.`);
  say(`${summary}.`);
}

function report({ type, replayed, failures }: Checked): void {
  say(`${type.padEnd(14)} ${replayed - failures.length} of ${replayed} passed`);
  for (const { workflowId, reason } of failures) say(`  ${workflowId}: ${oneLine(reason)}`);
}

/** @throws UsageError that says how it is used */
function optionsOf(args: readonly string[]): { most: number; types: readonly string[] } {
  let meant = '';
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        most: { type: 'string', default: MOST },
        type: { type: 'string', multiple: true, default: TYPES },
      },
    });
    const isKnown = values.type.every((type) => TYPE.test(type));
    if (isKnown && /^[1-9]\d{0,4}$/.test(values.most)) {
      return { most: Number(values.most), types: values.type };
    }
  } catch (error) {
    meant = meantOption(error, ['most', 'type']);
  }
  throw new UsageError(`${meant} ${USAGE}`.trim());
}

await runMain(() => main(process.env, process.argv.slice(2)));
