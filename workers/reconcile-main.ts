import { Client } from '@temporalio/client';
import { parseArgs } from 'node:util';
import type { ReconcileWatch } from '../activities/look.js';
import { reconcile } from '../activities/reconcile.js';
import type { Finding } from '../activities/types.js';
import { databaseUrl } from '../runtime/config.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { StartupError, oneLine, runMain, say } from '../runtime/program.js';
import { UsageError, meantOption } from '../runtime/usage.js';
import { openDatabase } from '../store/database.js';
import { connectOnce, connectionOptions, saidIfCut } from '../temporal-config/connection.js';
import { reconciliation, storedQuestions } from './reconciliation.js';
import { defined } from '../contracts/constants/defined.js';

const USAGE =
  'Usage: npm run reconcile [-- --cancel-missing], or installed: holdpoint reconcile [--cancel-missing]';

const FOUND: Readonly<Record<Finding, string>> = {
  written: 'had an outcome that the store did not show: written',
  lost: 'had lost its workflow: ended by the system',
  missing: 'has no workflow in this Temporal: left as it is',
  unknown: 'is open, and the store did not have it: told to write',
  behind: 'was not in the store as it is: brought up to date, or told to write',
  handed_in: 'was open, and the store had its outcome: handed in again',
  contradicted: 'ended in another way than in the store, which keeps its outcome: look at it',
  failed: 'could not be looked at, or not be repaired',
};

/**
 * `npm run reconcile`: checks once all questions and approvals that the store shows as open, repairs those whose
 * workflow is closed, has open ones write what the store lacks, and prints a line for each. Fails in the end if a
 * check failed. With `--cancel-missing` it also cancels those whose workflow this Temporal does not know.
 */
async function main(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const cancelMissing = optionsOf(args);
  const { connection: options, namespace } = connectionOptions(env);
  const dataConverter = await loadDataConverter(env, process.cwd());
  const db = openDatabase(databaseUrl(env));
  const connection = await connectOnce(options);
  const client = new Client({ connection, namespace, ...defined({ dataConverter }) });
  const work = reconciliation(db, () => client);
  const {
    written,
    lost,
    missing,
    unknown,
    behind,
    handed_in,
    contradicted,
    failed = [],
  } = await saidIfCut(
    'The look',
    // Repairs stay, and the next run finds the rest.
    reconcile(
      {
        reconciliation: work,
        store: storedQuestions(db),
        now: () => new Date(),
      },
      { since: null, ...(cancelMissing && { cancel_missing: true }) },
      { goOn: () => undefined, found: report, warn },
    ),
  );
  const told = unknown + behind;
  say(
    `${written} written, ${lost} cancelled, ${told} brought up to date or told to write, ${missing} left alone.`,
  );
  if (handed_in > 0) say(`${handed_in} outcomes handed in again that Temporal had forgotten.`);
  if (contradicted > 0)
    say(
      `${contradicted} ended in Temporal in another way than in the store. Their agents have gone on with it.`,
    );
  if (missing > 0) {
    say('If this is the right Temporal, --cancel-missing cancels those that it does not know.');
  }
  await connection.close();
  await db.destroy();
  if (failed.length > 0)
    throw new StartupError(`${failed.length} failed, each with its reason above.`);
}

/** @throws UsageError that says how it is used */
function optionsOf(args: readonly string[]): boolean {
  try {
    const options = { 'cancel-missing': { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], options }).values['cancel-missing'] ?? false;
  } catch (error) {
    throw new UsageError(`${meantOption(error, ['cancel-missing'])} ${USAGE}`.trim());
  }
}

const report: ReconcileWatch['found'] = ({ id, space }, finding, type, reason) => {
  const why = reason === undefined ? '' : `: ${oneLine(reason)}`;
  say(
    `${type === 'suspension' ? 'question' : type} ${id} of space ${space} ${FOUND[finding]}${why}`,
  );
};

function warn(event: string, reason: string): void {
  say(`${event}: ${oneLine(reason)}`);
}

await runMain(() => main(process.env, process.argv.slice(2)));
