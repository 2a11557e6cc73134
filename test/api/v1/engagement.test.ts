import assert from 'node:assert/strict';
import type { EngagementFigures } from '../../../contracts/suspension/engagement.js';
import type { EngagementQuery, StoredGroup } from '../../../store/queries/engagement-report.js';
import { rigOver } from '../support/harness.js';

const NEVER = { count: 0, p50_seconds: null, p90_seconds: null };
const FIGURES: EngagementFigures = {
  asked: 3,
  open: 1,
  answered: 2,
  denied: 1,
  edited: 0,
  expired: 0,
  cancelled: 0,
  as_expected: 1,
  until_viewed: { count: 2, p50_seconds: 1.5, p90_seconds: 9 },
  until_claimed: NEVER,
  until_answered: { count: 2, p50_seconds: 20, p90_seconds: 30 },
};

/** A rig whose store has these groups, and what it was asked. */
function rigWith(groups: readonly StoredGroup[] = []) {
  const asked: EngagementQuery[] = [];
  const engagementReport = async (query: EngagementQuery) => {
    asked.push(query);
    return { total: FIGURES, groups, left_out: 0 };
  };
  return { rig: rigOver({ store: { engagementReport } }), asked };
}

describe('the report of questions', () => {
  it('has every day, also those on which nothing was asked', async () => {
    const { rig, asked } = rigWith([{ key: 1, ...FIGURES }]);
    const path = '/v1/metrics/engagement?from=2026-03-28&to=2026-03-30&time_zone=Europe/Berlin';
    const { body, status } = await rig.send('operator', 'get', path);
    assert.equal(status, 200);
    const { groups, ...report } = body as { groups: { key: string; asked: number }[] };
    assert.deepEqual(
      groups.map(({ key, asked: count }) => [key, count]),
      [
        ['2026-03-28', 0],
        ['2026-03-29', 3],
        ['2026-03-30', 0],
      ],
    );
    assert.deepEqual(report, {
      from: '2026-03-28',
      to: '2026-03-30',
      time_zone: 'Europe/Berlin',
      group_by: 'day',
      total: FIGURES,
      left_out: 0,
    });
    assert.deepEqual(asked[0]?.days, [
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]);
  });

  it('covers the last 30 days unless days are given, and passes filters on', async () => {
    const { rig, asked } = rigWith();
    const path = '/v1/metrics/engagement?group_by=tool&agent=a&tool=b&group=c&channel=d';
    assert.equal((await rig.send('auditor', 'get', path)).status, 200);
    const { days, ...query } = asked[0] ?? assert.fail();
    assert.equal(days.length, 31);
    assert.deepEqual(query, {
      by: 'tool',
      agent: 'a',
      tool: 'b',
      group: 'c',
      channel: 'd',
      default_channel: 'console',
      limit: 100,
    });
  });

  const REFUSED: Readonly<Record<string, string>> = {
    'from=2026-03-01&to=2026-02-28': 'from',
    'to=2026-13-01': 'to',
    'from=2020-01-01&to=2026-01-01': 'from',
    'from=2020-01-01': 'from',
    'time_zone=%2B05:00': 'time_zone',
    'time_zone=Mars/Olympus': 'time_zone',
    'group_by=person': 'group_by',
    'days=3': 'days',
  };
  for (const [query, field] of Object.entries(REFUSED)) {
    it(`is refused for ${query}`, async () => {
      const { rig, asked } = rigWith();
      const { status, body } = await rig.send('admin', 'get', `/v1/metrics/engagement?${query}`);
      assert.deepEqual([status, (body as { field?: string }).field], [422, field]);
      assert.equal(asked.length, 0);
    });
  }

  it('is a table too, in which no text is a formula', async () => {
    const keys = ['plain', '=1+1', '+1', '-1', '@x', '\t=1', 'a "b", c', '\uff1d1', null];
    const { rig } = rigWith(keys.map((key) => ({ key, ...FIGURES })));
    const reply = await rig.send('operator', 'get', '/v1/metrics/engagement.csv?group_by=agent');
    assert.equal(reply.status, 200, reply.text);
    assert.match(String(reply.headers['content-type']), /^text\/csv/);
    assert.match(String(reply.headers['content-disposition']), /questions-by-agent-.*\.csv/);
    const [names, ...lines] = reply.text.split('\r\n');
    assert.equal(
      names,
      'agent,asked,open,answered,denied,edited,expired,cancelled,as_expected,' +
        'until_viewed_count,until_viewed_p50_seconds,until_viewed_p90_seconds,' +
        'until_claimed_count,until_claimed_p50_seconds,until_claimed_p90_seconds,' +
        'until_answered_count,until_answered_p50_seconds,until_answered_p90_seconds',
    );
    const rest = ',3,1,2,1,0,0,0,1,2,1.5,9,0,,,2,20,30';
    const cells = ['plain', "'=1+1", "'+1", "'-1", "'@x", "'\t=1", '"a ""b"", c"', "'\uff1d1", ''];
    assert.deepEqual(lines, [...cells.map((cell) => cell + rest), '']);
  });
});
