import { sql, type Kysely, type RawBuilder } from 'kysely';
import { approvals, runs, snapshots } from './0001-baseline/approvals.js';
import {
  checkpoints,
  deliveries,
  followUps,
  looks,
  refusedRows,
  setAside,
} from './0001-baseline/deliveries.js';
import * as erasure from './0001-baseline/erasure.js';
import { events, intents, plans, portfolios } from './0001-baseline/containers.js';
import { folding, grams, search, searched } from './0001-baseline/search.js';
import {
  asked,
  finalOutcomes,
  questionChanges,
  questionFacts,
  rules,
  suspensionIndexes,
  suspensions,
} from './0001-baseline/suspensions.js';
import {
  agentsAndSubscriptions,
  principals,
  push,
  pushTriggers,
  sessions,
} from './0001-baseline/people.js';
import { keptAway, tombstones } from './0001-baseline/erasure.js';
import { firstWaits, waits } from './0001-baseline/waits.js';

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
  erasure.erasures,
  tombstones,
];

/** Functions and triggers that keep these tables right, whatever writes to them. */
const FUNCTIONS_AND_TRIGGERS = [
  ...keptAway,
  erasure.erasedQuestions,
  erasure.erasedApprovals,
  ...erasure.forgetTriggers,
  finalOutcomes,
  firstWaits,
  waits,
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

/** Demands an encoding in which PostgreSQL can fold the characters of Unicode. */
async function demandUnicode(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new Error(`its encoding is ${encoding ?? 'unknown'}; Holdpoint needs one in UTF8`);
}
