import pg from 'pg';
import type { BenchStack } from './bench-stack.js';
import { percentile, timed } from './statistics.js';

/** Keys of whom the rows are for: the operator is in a group, and has claimed some. */
export const INBOX_KEYS: Readonly<Record<string, string>> = {
  HOLDPOINT_API_KEYS: JSON.stringify([
    { key: 'bench-agent-key-0123456789', principal: 'bench-agent', roles: ['agent'] },
    {
      key: 'bench-operator-key-0123456789',
      principal: 'bench-operator',
      roles: ['operator'],
      groups: ['finance'],
    },
  ]),
};

/** The five views of the page, its filters and its counts. What is open comes by urgency. */
const QUERIES = {
  all: '/suspensions',
  'all, the next page': '/suspensions?cursor=',
  'for me': '/suspensions?view=for_me',
  'claimed by me': '/suspensions?view=claimed',
  'my groups': '/suspensions?view=groups',
  settled: '/suspensions?state=settled&sort=newest',
  'for a group': '/suspensions?group=finance',
  'by channel': '/suspensions?channel=slack',
  'by text': '/suspensions?text=order%204712',
  'by two characters that every 2,000th has': `/suspensions?text=${encodeURIComponent('東京')}`,
  'by one character that every 2,000th has': `/suspensions?text=${encodeURIComponent('京')}`,
  'by two characters that all have': '/suspensions?text=rd',
  'by one character that all have': '/suspensions?text=r',
  'by a text that none has': `/suspensions?text=${encodeURIComponent('京東')}`,
  'counts of all': '/suspensions/counts',
  'counts by two characters that all have': '/suspensions/counts?text=rd',
  'counts for me': '/suspensions/counts?view=for_me',
  'counts of what I claimed': '/suspensions/counts?view=claimed',
  'counts of my groups': '/suspensions/counts?view=groups',
} as const;

export interface InboxFigure {
  readonly rows: number;
  readonly query: string;
  readonly p50: number;
  readonly p95: number;
}

/**
 * Milliseconds of inbox requests with so many open rows, and half as many settled ones, which are written past the workflows. Of
 * them every hundredth came by Slack, every hundredth is claimed, every tenth is for somebody else, and every fiftieth for a group.
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
  try {
    for (const count of counts) {
      await fill(client, rows + 1, count);
      rows = count;
      for (const [query, path] of Object.entries(QUERIES)) {
        const route = path.endsWith('cursor=') ? `${path}${await cursorOf(bench)}` : path;
        const samples: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          samples.push(await timed(() => bench.call('operator', 'GET', route)));
        }
        figures.push({
          rows,
          query,
          p50: percentile(samples, 0.5),
          p95: percentile(samples, 0.95),
        });
      }
    }
  } finally {
    await client.end();
  }
  return figures;
}

/** Where the first page of all open questions ends. */
async function cursorOf(bench: BenchStack): Promise<string> {
  const page = (await bench.call('operator', 'GET', QUERIES.all)) as { next_cursor: string | null };
  if (page.next_cursor === null) throw new Error('there is one page only');
  return page.next_cursor;
}

/** The triggers count and place each row: that is measured with the writes of workflows, not here. */
export async function fill(client: pg.Client, from: number, to: number): Promise<void> {
  await client.query('alter table suspensions disable trigger user');
  await client.query(
    `insert into suspensions (id, intent_id, asked_by, question, response_type, suspended_at,
       expires_at, schedule, record, claim, state, resolution, settled_at)
     select kind || n, kind || n, 'bench', 'Refund order ' || n || case when n % 2000 = 7 then ' 東京?' else '?' end, 'confirm',
       timestamptz '2026-01-01Z' + n * interval '1 second',
       case when n % 3 > 0 then timestamptz '2036-01-01Z' + n % 5000 * interval '1 second' end,
       jsonb_build_object('attempts', jsonb_build_array(jsonb_build_object('attempt', 1,
         'channel_hint', case when n % 100 = 0 then 'slack' end, 'notify_to', null,
         'ladder', '[]'::jsonb))),
       jsonb_build_object('id', kind || n, 'question', 'Refund order ' || n || '?')
         || case when n % 10 = 0 then '{"decision_rule": {"eligible": {"principals": ["else"]}}}'
           when n % 50 = 1 then '{"decision_rule": {"eligible": {"groups": ["finance"]}}}'
           else '{}' end::jsonb,
       case when n % 100 = 3 and kind = 'bench-' then '{"holder": "bench-operator",
         "claimed_at": "2026-01-01T00:00:00.000Z", "expires_at": "2036-01-01T00:00:00.000Z"}'::jsonb end,
       case when kind = 'bench-' then 'pending' else 'settled' end,
       case when kind <> 'bench-' then 'responded' end,
       case when kind <> 'bench-' then timestamptz '2026-02-01Z' + n * interval '1 second' end
     from generate_series($1::integer, $2::integer) n
     cross join (values ('bench-'), ('settled-')) kinds (kind)
     where kind = 'bench-' or n % 2 = 0`,
    [from, to],
  );
  await client.query(
    `update suspensions set searched = holdpoint_searched(question, record),
       grams = holdpoint_grams(holdpoint_searched(question, record))
     where searched = ''`,
  );
  await client.query('alter table suspensions enable trigger user');
  await client.query('vacuum analyze suspensions');
}
