import pg from 'pg';
import { ENGAGEMENT_GROUPINGS } from '../contracts/suspension/engagement.js';
import { openDatabase } from '../store/database.js';
import { inSpace } from '../store/in-space.js';
import { migrateToLatest } from '../store/migrate.js';
import { engagementReport } from '../store/queries/engagement-report.js';
import { startPostgres } from '../test/support/postgres.js';
import { percentile, timed } from './statistics.js';

const QUESTIONS = 100_000;
const ROUNDS = 20;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const DAYS = Array.from({ length: 91 }, (_, day) =>
  new Date(FIRST_DAY + day * DAY_MS).toISOString(),
);

/**
 * `npm run bench:engagement [-- <questions>]`: milliseconds of a report over 90 days in which so many questions were asked, on a
 * PostgreSQL server of its own, by each grouping. As many again were asked before.
 */
async function main(): Promise<void> {
  const questions = Number(process.argv[2] ?? QUESTIONS);
  const server = await startPostgres();
  try {
    await migrateToLatest(server.url);
    await fill(server.url, questions);
    const db = openDatabase(server.url);
    for (const by of ENGAGEMENT_GROUPINGS) {
      const query = { by, days: DAYS, default_channel: 'console', limit: 100 };
      const report = () => engagementReport(inSpace(db, 'default'), query);
      const samples: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) samples.push(await timed(report));
      const [least, p50, p95] = [
        Math.min(...samples),
        percentile(samples, 0.5),
        percentile(samples, 0.95),
      ];
      const shown = [least, p50, p95].map((ms) => `${ms.toFixed(0)} ms`);
      process.stdout.write(`by ${by}: least ${shown[0]}, p50 ${shown[1]}, p95 ${shown[2]}\n`);
    }
    await db.destroy();
  } finally {
    await server.stop();
  }
}

/** Twenty agents, ten tools, five groups; two of three answered, half of them claimed. */
async function fill(url: string, questions: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into question_facts (suspension_id, asked_at, asked_by, tools, groups, channels, resolution,
       settled_at, denied, edited, as_expected, claimed_at, viewed_at)
     select gen_random_uuid()::text, asked_at, 'agent-' || n % 20,
       case when n % 2 = 0 then array['tool-' || n % 10] else '{}' end,
       case when n % 3 = 0 then array['group-' || n % 5] else '{}' end,
       case when n % 4 = 0 then array['', 'slack'] else array[''] end,
       case n % 6 when 0 then 'expired' when 1 then null else 'responded' end,
       case n % 6 when 1 then null else asked_at + n * 7919 % 86400 * interval '1 second' end,
       n % 12 = 2, n % 30 = 2, n % 6 = 3,
       case when n % 4 < 2 then asked_at + n * 7907 % 3600 * interval '1 second' end,
       asked_at + n * 7901 % 3600 * interval '1 second'
     from (select n, $1::timestamptz + (n - $3::integer) * ($2::timestamptz - $1::timestamptz) / $3 as asked_at
       from generate_series(0, 2 * $3::integer - 1) n) each`,
    [DAYS[0], DAYS.at(-1), questions],
  );
  await client.query('vacuum analyze question_facts');
  await client.end();
}

await main();
process.exit(0);
