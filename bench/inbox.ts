import pg from 'pg';
import type { BenchStack } from './bench-stack.js';
import { percentile, timed } from './statistics.js';

const QUERIES = {
  'by urgency': '/suspensions',
  'for one person': '/suspensions?view=for_me',
  'for a group': '/suspensions?group=finance',
  'by channel': '/suspensions?channel=slack',
  'by text': '/suspensions?text=order%204712',
  counts: '/suspensions/counts',
  'counts for one person': '/suspensions/counts?view=for_me',
} as const;

export interface InboxFigure {
  readonly rows: number;
  readonly query: string;
  readonly p50: number;
  readonly p95: number;
}

/**
 * Milliseconds of inbox requests with so many open rows, which are written past the workflows. Of them every hundredth came by
 * Slack, every tenth is for somebody else, and every fiftieth for a group.
 */
export async function measureInbox(
  bench: BenchStack,
  counts: readonly number[],
  rounds: number,
): Promise<InboxFigure[]> {
  const client = new pg.Client({ connectionString: bench.stack.databaseUrl });
  await client.connect();
  const figures: InboxFigure[] = [];
  let rows = 0;
  for (const count of counts) {
    await fill(client, rows + 1, count);
    rows = count;
    for (const [query, route] of Object.entries(QUERIES)) {
      const samples: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        samples.push(await timed(() => bench.call('operator', 'GET', route)));
      }
      figures.push({ rows, query, p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) });
    }
  }
  await client.end();
  return figures;
}

async function fill(client: pg.Client, from: number, to: number): Promise<void> {
  await client.query(
    `insert into suspensions (id, intent_id, asked_by, question, response_type, suspended_at,
       expires_at, schedule, record, state)
     select 'bench-' || n, 'bench-' || n, 'bench', 'Refund order ' || n || '?', 'confirm',
       timestamptz '2026-01-01Z' + n * interval '1 second',
       case when n % 3 > 0 then timestamptz '2036-01-01Z' + n * interval '1 second' end,
       jsonb_build_object('attempts', jsonb_build_array(jsonb_build_object('attempt', 1,
         'channel_hint', case when n % 100 = 0 then 'slack' end, 'notify_to', null,
         'ladder', '[]'::jsonb))),
       jsonb_build_object('id', 'bench-' || n, 'question', 'Refund order ' || n || '?')
         || case when n % 10 = 0 then '{"decision_rule": {"eligible": {"principals": ["else"]}}}'
           when n % 50 = 1 then '{"decision_rule": {"eligible": {"groups": ["finance"]}}}'
           else '{}' end::jsonb, 'pending'
     from generate_series($1::integer, $2::integer) n`,
    [from, to],
  );
  await client.query('vacuum analyze suspensions');
}
