import { sql, type QueryResult, type RawBuilder } from 'kysely';
import type {
  EngagementDuration,
  EngagementFigures,
  EngagementFilter,
  EngagementGrouping,
} from '../../contracts/suspension/engagement.js';
import { fromText, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { textArray } from './inbox.js';

export interface EngagementQuery extends EngagementFilter {
  readonly by: EngagementGrouping;
  /** The instants at which days begin, and the one at which the last day ends. */
  readonly days: readonly string[];
  /** The channel of attempts that name none. */
  readonly default_channel: string;
  readonly limit: number;
}

/** Figures of the questions with one key: a name, null for those without, or the number of a day from 0. */
export interface StoredGroup extends EngagementFigures {
  readonly key: string | number | null;
}

export interface StoredReport {
  readonly total: EngagementFigures;
  /** The groups with the most questions, in this order. */
  readonly groups: readonly StoredGroup[];
  readonly left_out: number;
}

function ended(resolution: string): RawBuilder<number> {
  return sql`(count(*) filter (where resolution = ${sql.lit(resolution)}))::integer`;
}

function durations(column: 'viewed' | 'claimed' | 'answered'): RawBuilder<unknown> {
  const name = sql.ref(`until_${column}`);
  return sql`count(${name})::integer as ${sql.ref(`${column}_count`)},
    percentile_disc(array[0.5, 0.9]) within group (order by ${name}) as ${sql.ref(`${column}_ms`)}`;
}

const FIGURES = sql`
  count(*)::integer as asked,
  (count(*) filter (where resolution is null))::integer as open,
  ${ended('responded')} as answered_total,
  (count(*) filter (where denied))::integer as denied,
  (count(*) filter (where edited))::integer as edited,
  ${ended('expired')} as expired,
  ${ended('cancelled')} as cancelled,
  (count(*) filter (where as_expected))::integer as as_expected,
  ${durations('viewed')}, ${durations('claimed')}, ${durations('answered')}`;

type Durations = readonly (number | null)[] | null;
interface Row {
  readonly key: string | number | null;
  readonly left_out: number;
  readonly asked: number;
  readonly open: number;
  readonly answered_total: number;
  readonly denied: number;
  readonly edited: number;
  readonly expired: number;
  readonly cancelled: number;
  readonly as_expected: number;
  readonly viewed_count: number;
  readonly viewed_ms: Durations;
  readonly claimed_count: number;
  readonly claimed_ms: Durations;
  readonly answered_count: number;
  readonly answered_ms: Durations;
}

/** Counts the questions that were asked on some days: all of them, and by their keys. */
export async function engagementReport(db: Store, query: EngagementQuery): Promise<StoredReport> {
  const { by, limit } = query;
  const facts = factsOf(query);
  const [total, groups] = await Promise.all([
    counted(db, sql<Row>`select ${FIGURES} from ${facts}`),
    counted(
      db,
      sql<Row>`
      select key, ${FIGURES}, greatest(0, count(*) over () - ${limit})::integer as left_out
      from (select facts.*, ${keyOf(query)} as key from ${facts} ${keysIn(query)}) keyed
      group by key order by asked desc, key limit ${limit}`,
    ),
  ]);
  const [whole] = total.rows;
  if (whole === undefined) throw new Error('a count returned no row');
  return {
    total: figuresOf(whole),
    groups: groups.rows.map((row) => ({ key: keyIn(row, by), ...figuresOf(row) })),
    left_out: groups.rows[0]?.left_out ?? 0,
  };
}

/** Percentiles sort all rows: in memory, and without compiling the query first, which takes longer than it saves. */
const SORTED_IN_MEMORY = sql`select set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`;

function counted(db: Store, query: RawBuilder<Row>): Promise<QueryResult<Row>> {
  return db.transaction().execute(async (trx) => {
    await SORTED_IN_MEMORY.execute(trx);
    return query.execute(trx);
  });
}

function factsOf(query: EngagementQuery): RawBuilder<unknown> {
  const { days, agent, tool, group, channel, default_channel } = query;
  const all = [sql`asked_at >= ${days[0]}::timestamptz and asked_at < ${days.at(-1)}::timestamptz`];
  if (agent !== undefined) all.push(sql`asked_by = ${toText(agent)}`);
  if (tool !== undefined) all.push(sql`tools @> ${textArray([tool])}`);
  if (group !== undefined) all.push(sql`groups @> ${textArray([group])}`);
  if (channel !== undefined) {
    all.push(
      sql`channels && ${textArray(channel === default_channel ? [channel, ''] : [channel])}`,
    );
  }
  return sql`(select * from question_facts where ${sql.join(all, sql` and `)}) facts`;
}

/** Returns the rows of a question's keys, for reports in which it has several keys, or none. */
function keysIn({ by, default_channel }: EngagementQuery): RawBuilder<unknown> {
  if (by === 'tool') return sql`left join lateral unnest(tools) each (name) on true`;
  if (by === 'group') return sql`left join lateral unnest(groups) each (name) on true`;
  if (by !== 'channel') return sql``;
  // A question may have attempts without a channel and over the default one, which count as one channel.
  const usual = sql`${toText(default_channel)}::text`;
  return sql`left join lateral unnest(array_replace(
    case when ${usual} = any(channels) then array_remove(channels, '') else channels end, '', ${usual})) each (name) on true`;
}

/** Returns the key of a question. Names are sorted by their bytes, which is quickest. */
function keyOf({ by, days }: EngagementQuery): RawBuilder<unknown> {
  if (by === 'day') return sql`width_bucket(asked_at, ${[...days]}::timestamptz[]) - 1`;
  return sql`${by === 'agent' ? sql`asked_by` : sql`each.name`} collate "C"`;
}

function keyIn({ key }: Row, by: EngagementGrouping): string | number | null {
  return typeof key === 'string' && by !== 'day' ? fromText(key) : key;
}

function figuresOf(row: Row): EngagementFigures {
  const { asked, open, answered_total: answered, denied, edited } = row;
  const { expired, cancelled, as_expected } = row;
  return {
    asked,
    open,
    answered,
    denied,
    edited,
    expired,
    cancelled,
    as_expected,
    until_viewed: durationOf(row.viewed_count, row.viewed_ms),
    until_claimed: durationOf(row.claimed_count, row.claimed_ms),
    until_answered: durationOf(row.answered_count, row.answered_ms),
  };
}

function durationOf(count: number, ms: Durations): EngagementDuration {
  const [p50, p90] = ms ?? [];
  return { count, p50_seconds: secondsOf(p50), p90_seconds: secondsOf(p90) };
}

function secondsOf(ms: number | null | undefined): number | null {
  return typeof ms === 'number' ? ms / 1_000 : null;
}
