import { dataFolderOf, localService, stillStarting } from '../cli/local-service.js';
import { commandName } from '../contracts/constants/command-name.js';
import type { ApiKey } from '../contracts/people/api-key.js';
import { DEVELOPMENT_APPROVER } from '../runtime/api-keys.js';
import { isFolderHeld } from '../runtime/folder-lock.js';
import { StartupError, oneLine, runMain, say } from '../runtime/program.js';
import { UsageError, meantBy } from '../runtime/usage.js';
import { developmentPeople, signInLinks, withStoreAt } from './sign-in-links.js';

const PEOPLE = { operator: 'dev-operator', approver: DEVELOPMENT_APPROVER } as const;

/** Returns the principal that the arguments name; the operator by default. */
function wanted([name = 'operator', more]: readonly string[]): string {
  if (more !== undefined) throw new UsageError(`holdpoint link takes one name, not "${more}" too.`);
  if (name === 'operator' || name === 'approver') return PEOPLE[name];
  const known = Object.keys(PEOPLE);
  const meant = meantBy(name, known) || ` There is ${known.join(' and ')}.`;
  throw new UsageError(`holdpoint link has nobody called "${name}".${meant}`);
}

/**
 * `holdpoint link`: prints a link that signs a person with a development key in to the inbox, once. Only readers of
 * the running service's data folder can make one.
 */
async function main(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const principal = wanted(args);
  const service = await localService(env, process.cwd());
  if (service === undefined) {
    const folder = dataFolderOf(env, process.cwd());
    if (await isFolderHeld(folder)) throw new StartupError(`${stillStarting(folder)}.`);
    throw new StartupError(
      `No service runs with the data folder ${folder}: start one with \`${commandName(import.meta.url, env)} start\`, or set HOLDPOINT_DATA_DIR to the folder of the one that runs.`,
    );
  }
  const { url, keys, database_url = env['DATABASE_URL'] } = service;
  const people = developmentPeople(keys).filter((key) => key.principal === principal);
  if (people.length === 0) {
    throw new StartupError(
      `The service at ${url} has configured keys: sign in at ${url}/inbox with the key of an operator.`,
    );
  }
  if (!database_url) throw new StartupError('Set DATABASE_URL as it is for the service.');
  for (const link of await linksOf(database_url, url, people)) say(link);
}

/** Makes the links. If the store does not answer, explains why: the service was killed, and its file still exists. */
async function linksOf(databaseUrl: string, apiUrl: string, people: readonly ApiKey[]) {
  try {
    return await withStoreAt(databaseUrl, (db) => signInLinks(db, apiUrl, people));
  } catch (error) {
    const reason = oneLine(error instanceof Error ? error.message : String(error));
    const message = `The store of the service at ${apiUrl} does not answer: ${reason}. Start the service again.`;
    throw new StartupError(message, { cause: error });
  }
}

await runMain(() => main(process.env, process.argv.slice(2)));
