import { Kysely, Migrator } from 'kysely';
import type { Migration, MigrationResultSet } from 'kysely';
import { StartupError, oneLine } from '../runtime/program.js';
import { createDialect } from './database.js';
import { up as createJournal } from './migrations/0001-journal.js';
import { up as createDeliveryTries } from './migrations/0002-delivery-tries.js';
import { up as hashEvents } from './migrations/0003-event-hashes.js';
import { up as createInbox } from './migrations/0004-inbox.js';
import { up as createFeed } from './migrations/0005-feed.js';
import { up as createPortfolios } from './migrations/0006-portfolios.js';
import { up as createGraph } from './migrations/0007-graph.js';
import { up as createPlans } from './migrations/0008-plans.js';
import { up as createCoordinators } from './migrations/0009-coordinators.js';
import { up as createSubscriptions } from './migrations/0010-subscriptions.js';
import { up as indexEscalations } from './migrations/0011-escalations.js';
import { up as createAgents } from './migrations/0012-agents.js';
import { up as indexContainerLists } from './migrations/0013-container-lists.js';
import { up as followFormerMembers } from './migrations/0014-feed-of-former-members.js';
import { up as recordPrincipals } from './migrations/0015-principals.js';
import { up as traceAndMeasure } from './migrations/0016-tracing-and-sizes.js';
import { up as keepKeysAndRefusedRows } from './migrations/0017-keys-and-quarantine.js';
import { up as commitToPayloads } from './migrations/0019-payload-commitments.js';
import { up as keepAccessLists } from './migrations/0020-access-lists.js';
import { up as countVotes } from './migrations/0021-votes.js';
import { up as keepPrincipals } from './migrations/0022-key-principals.js';
import { up as keepErased } from './migrations/0023-erasure.js';
import { up as chainTimelines } from './migrations/0025-timeline-chains.js';
import { up as keepCheckpoints } from './migrations/0026-checkpoints.js';
import { up as divideIntoSpaces } from './migrations/0027-spaces.js';
import { up as keepRemoved } from './migrations/0028-retention.js';
import { up as placeQuestions } from './migrations/0029-spaces-of-questions.js';
import { up as keepSnapshots } from './migrations/0030-snapshots.js';
import { up as createApprovals } from './migrations/0031-approvals.js';
import { up as tellPauses } from './migrations/0033-pauses.js';
import { up as keepCheckpointsOfAgents } from './migrations/0034-agent-checkpoints.js';
import { up as placeEventsOfRuns } from './migrations/0035-feed-of-runs.js';
import { up as keepEndsOfRuns } from './migrations/0036-runs.js';
import { up as removeApprovals } from './migrations/0037-retention-of-approvals.js';
import { up as keepApprovalsErased } from './migrations/0038-erasure-of-approvals.js';
import { up as keepVerbs } from './migrations/0039-verbs.js';
import { up as keepVersions } from './migrations/0040-amended-questions.js';
import { up as viewInboxes } from './migrations/0041-inbox-views.js';
import { up as placeChanges } from './migrations/0042-feed-of-questions.js';
import { up as keepSessions } from './migrations/0043-sessions.js';
import { up as followUp } from './migrations/0044-follow-ups.js';
import { up as countBlocked } from './migrations/0048-what-questions-block.js';
import { up as findMessages } from './migrations/0049-messages-of-a-question.js';
import { up as keepWhoAsked } from './migrations/0053-who-asked.js';
import { up as countApprovals } from './migrations/0054-what-approvals-block.js';
import { up as findByIndex } from './migrations/0055-found-by-index.js';
import { up as countInParts } from './migrations/0056-counted-in-parts.js';
import { up as findSessions } from './migrations/0057-sessions-of-a-person.js';
import { up as tellTakenBack } from './migrations/0058-delegations-taken-back.js';
import { up as findTries } from './migrations/0059-newest-tries.js';
import { up as keepChecks } from './migrations/0060-channel-checks.js';
import { up as findRefused } from './migrations/0061-refused-rows-of-approvals.js';
import { up as keepSights } from './migrations/0062-sights-of-principals.js';
import { up as countNews } from './migrations/0063-news-of-followed-messages.js';
import { up as listByEnd } from './migrations/0065-when-questions-ended.js';
import { up as noteWhoAnswers } from './migrations/0066-who-can-answer.js';
import { up as findParts } from './migrations/0068-parts-of-words.js';
import { up as noteSetAside } from './migrations/0070-runs-set-aside.js';
import { up as keepCreations } from './migrations/0071-keys-of-creations.js';
import { up as findNames } from './migrations/0072-names-and-digits-of-all-scripts.js';

/** In the order of their names. A released migration is never changed. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-journal': { up: createJournal },
  '0002-delivery-tries': { up: createDeliveryTries },
  '0003-event-hashes': { up: hashEvents },
  '0004-inbox': { up: createInbox },
  '0005-feed': { up: createFeed },
  '0006-portfolios': { up: createPortfolios },
  '0007-graph': { up: createGraph },
  '0008-plans': { up: createPlans },
  '0009-coordinators': { up: createCoordinators },
  '0010-subscriptions': { up: createSubscriptions },
  '0011-escalations': { up: indexEscalations },
  '0012-agents': { up: createAgents },
  '0013-container-lists': { up: indexContainerLists },
  '0014-feed-of-former-members': { up: followFormerMembers },
  '0015-principals': { up: recordPrincipals },
  '0016-tracing-and-sizes': { up: traceAndMeasure },
  '0017-keys-and-quarantine': { up: keepKeysAndRefusedRows },
  '0019-payload-commitments': { up: commitToPayloads },
  '0020-access-lists': { up: keepAccessLists },
  '0021-votes': { up: countVotes },
  '0022-key-principals': { up: keepPrincipals },
  '0023-erasure': { up: keepErased },
  '0025-timeline-chains': { up: chainTimelines },
  '0026-checkpoints': { up: keepCheckpoints },
  '0027-spaces': { up: divideIntoSpaces },
  '0028-retention': { up: keepRemoved },
  '0029-spaces-of-questions': { up: placeQuestions },
  '0030-snapshots': { up: keepSnapshots },
  '0031-approvals': { up: createApprovals },
  '0033-pauses': { up: tellPauses },
  '0034-agent-checkpoints': { up: keepCheckpointsOfAgents },
  '0035-feed-of-runs': { up: placeEventsOfRuns },
  '0036-runs': { up: keepEndsOfRuns },
  '0037-retention-of-approvals': { up: removeApprovals },
  '0038-erasure-of-approvals': { up: keepApprovalsErased },
  '0039-verbs': { up: keepVerbs },
  '0040-amended-questions': { up: keepVersions },
  '0041-inbox-views': { up: viewInboxes },
  '0042-feed-of-questions': { up: placeChanges },
  '0043-sessions': { up: keepSessions },
  '0044-follow-ups': { up: followUp },
  '0048-what-questions-block': { up: countBlocked },
  '0049-messages-of-a-question': { up: findMessages },
  '0053-who-asked': { up: keepWhoAsked },
  '0054-what-approvals-block': { up: countApprovals },
  '0055-found-by-index': { up: findByIndex },
  '0056-counted-in-parts': { up: countInParts },
  '0057-sessions-of-a-person': { up: findSessions },
  '0058-delegations-taken-back': { up: tellTakenBack },
  '0059-newest-tries': { up: findTries },
  '0060-channel-checks': { up: keepChecks },
  '0061-refused-rows-of-approvals': { up: findRefused },
  '0062-sights-of-principals': { up: keepSights },
  '0063-news-of-followed-messages': { up: countNews },
  '0065-when-questions-ended': { up: listByEnd },
  '0066-who-can-answer': { up: noteWhoAnswers },
  '0068-parts-of-words': { up: findParts },
  '0070-runs-set-aside': { up: noteSetAside },
  '0071-keys-of-creations': { up: keepCreations },
  '0072-names-and-digits-of-all-scripts': { up: findNames },
};

/** The names of all migrations, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Migrates the store at the URL over a connection of its own. Processes that migrate at the same time wait
 * for each other: PostgreSQL has an advisory lock, and the embedded store runs one transaction at a time.
 * Returns the names of the applied migrations. Throws the error of a failed migration, which is rolled
 * back; those before it stay.
 */
export async function migrateToLatest(url: string): Promise<readonly string[]> {
  const dialect = createDialect(url, { max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const db = new Kysely<unknown>({ dialect });
  try {
    const provider = { getMigrations: () => Promise.resolve(MIGRATIONS) };
    const migrator = new Migrator({ db, provider });
    const isNew = (await migrator.getMigrations()).every(({ executedAt }) => !executedAt);
    return isNew ? appliedBy(await migrator.migrateToLatest()) : await oneByOne(migrator);
  } finally {
    await db.destroy();
  }
}

/** Each in a transaction of its own: in between, whoever reads and writes what it has locked goes on. */
async function oneByOne(migrator: Migrator): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const names = appliedBy(await migrator.migrateUp());
    if (names.length === 0) return applied;
    applied.push(...names);
  }
}

function appliedBy({ error, results = [] }: MigrationResultSet): readonly string[] {
  if (error !== undefined) throw error as Error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * The same for a program that is being started: `DATABASE_URL` is where its person looks first.
 *
 * @throws StartupError that says in one line why the database cannot be used
 */
export async function migrateOrExplain(url: string): Promise<readonly string[]> {
  try {
    return await migrateToLatest(url);
  } catch (error) {
    const reason = oneLine(reasonIn(error));
    throw new StartupError(`The database of DATABASE_URL cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

/** The message, or if it is empty (two addresses were tried) the code and the first of them. */
function reasonIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return reasonIn(error.errors[0]);
  return error.message;
}
