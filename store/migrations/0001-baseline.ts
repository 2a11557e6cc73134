import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { approvals, runs, snapshots } from './0001-baseline/approvals.js';
import { deliveries, followUps } from './0001-baseline/deliveries.js';
import * as erasure from './0001-baseline/erasure.js';
import { events } from './0001-baseline/events.js';
import { folding } from './0001-baseline/folding.js';
import { intents } from './0001-baseline/intents.js';
import { finalOutcomes } from './0001-baseline/outcomes.js';
import { plans } from './0001-baseline/plans.js';
import { portfolios } from './0001-baseline/portfolios.js';
import { agentsAndSubscriptions, principals, sessions } from './0001-baseline/principals.js';
import { push, pushTriggers } from './0001-baseline/push.js';
import { questionChanges } from './0001-baseline/question-changes.js';
import { questionFacts } from './0001-baseline/question-facts.js';
import { keptAway, tombstones } from './0001-baseline/retention.js';
import { grams, search, searched } from './0001-baseline/search.js';
import { asked, rules, suspensionIndexes, suspensions } from './0001-baseline/suspensions.js';
import { checkpoints, looks, refusedRows, setAside } from './0001-baseline/upkeep.js';
import { blocks, blocksDue, findDue, firstWaits, recount, waits } from './0001-baseline/waits.js';

/** The tables, their indexes and views. Names that callers choose are unique in their space, all other ids everywhere. */
const TABLES = [
  intents,
  events,
  portfolios,
  plans,
  asked,
  rules,
  suspensions,
  suspensionIndexes,
  questionFacts,
  approvals,
  runs,
  snapshots,
  deliveries,
  principals,
  sessions,
  push,
  agentsAndSubscriptions,
  refusedRows,
  checkpoints,
  setAside,
  looks,
  blocksDue,
  erasure.erasures,
  tombstones,
];

/** What keeps these right, whatever writes to them. */
const FUNCTIONS_AND_TRIGGERS = [
  ...keptAway,
  erasure.erasedQuestions,
  erasure.erasedApprovals,
  ...erasure.forgetTriggers,
  finalOutcomes,
  firstWaits,
  waits,
  blocks,
  findDue,
  recount,
  questionChanges,
  followUps,
  pushTriggers,
  folding,
  searched,
  grams,
  search,
];

/** The schema of 0.1.0, by subject. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await demandUnicode(db);
  const parts: readonly RawBuilder<unknown>[] = [...TABLES, ...FUNCTIONS_AND_TRIGGERS];
  for (const part of parts) await part.execute(db);
}

/** PostgreSQL folds the characters of Unicode in no other encoding. */
async function demandUnicode(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new Error(`its encoding is ${encoding ?? 'unknown'}; Holdpoint needs one in UTF8`);
}
