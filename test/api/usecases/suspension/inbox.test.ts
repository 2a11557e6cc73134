import assert from 'node:assert/strict';
import { countSuspensions, listSuspensions } from '../../../../api/usecases/suspension/inbox.js';
import type { Caller } from '../../../../contracts/people/caller.js';
import type { InboxQuery, InboxRow } from '../../../../store/queries/inbox.js';
import {
  callerOf,
  ManualClock,
  NOW,
  OTHER_SUSPENSION_ID,
  refusalFrom,
  SUSPENSION_ID,
  viewOf,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const AT = '2026-01-01T00:00:00.000Z';
const PAGE = { state: 'pending', sort: 'urgency', limit: 2 } as const;
const ALICE = callerOf('alice', 'operator');

function rowOf(n: number): InboxRow {
  return { entry: viewOf(), key: ['infinity', -1, AT, `s${n}`] };
}

function bench(rows: readonly InboxRow[] = [], missing = (_ms: number) => [] as readonly string[]) {
  const clock = new ManualClock();
  const queries: InboxQuery[] = [];
  const asked: number[] = [];
  const { parts } = fakeParts({
    clock,
    store: {
      listSuspensions: async (query) => {
        queries.push(query);
        return { rows: rows.slice(0, query.limit), more: rows.length > query.limit };
      },
      idsNotInState: async () => {
        asked.push(clock.now() - NOW);
        return missing(clock.now() - NOW);
      },
    },
  });
  const list = (caller: Caller, page: Parameters<typeof listSuspensions.run>[1]) =>
    listSuspensions.run({ caller, parts }, page);
  const count = (caller: Caller, filter: Parameters<typeof countSuspensions.run>[1]) =>
    countSuspensions.run({ caller, parts }, filter);
  return { clock, list, count, queries, asked, settlements: parts.settlements };
}

describe('the inbox behind the API', () => {
  it('returns a cursor to the next page if there is one', async () => {
    const { list, queries } = bench([1, 2, 3].map(rowOf));
    const { value } = await list(ALICE, PAGE);
    assert.equal(value.suspensions.length, 2);
    const cursor = value.next_cursor ?? assert.fail();
    await list(ALICE, { ...PAGE, cursor });
    assert.deepEqual(
      queries.map(({ limit, after }) => [limit, after]),
      [
        [2, undefined],
        [2, ['infinity', -1, AT, 's2']],
      ],
    );
  });

  it('returns no cursor on the last page', async () => {
    const { list } = bench([1, 2].map(rowOf));
    assert.equal((await list(ALICE, PAGE)).value.next_cursor, null);
  });

  it('shows no claim that is over', async () => {
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    const claim = { holder: 'bob', claimed_at: at(0), expires_at: at(1_000) };
    const { entry, key } = rowOf(1);
    const { list, clock } = bench([{ entry: { ...entry, claim }, key }]);
    const claims = async () => {
      const { value } = await list(ALICE, PAGE);
      return value.suspensions.map((one) => one.claim);
    };
    assert.deepEqual(await claims(), [claim]);
    await clock.advance(1_000);
    assert.deepEqual(await claims(), [null]);
  });

  const code = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const FORGED = {
    'of another sort': code(['oldest', AT, 's1']),
    'without its key': code(['urgency']),
    'with a text for an instant': code(['urgency', 'now()', -1, AT, 's1']),
    'with a number for an instant': code(['urgency', AT, -1, 1e300, 's1']),
    'with a number that is none': code(['urgency', AT, -1e300, AT, 's1']),
    'of the order before': code(['urgency', AT, AT, 's1']),
    'that is no JSON': '%%%',
    'that is no list': code({}),
  };
  for (const [kind, cursor] of Object.entries(FORGED)) {
    it(`refuses a cursor ${kind}`, async () => {
      const { list, queries } = bench();
      const refusal = await refusalFrom(list(ALICE, { ...PAGE, cursor }));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'cursor']);
      assert.deepEqual(queries, []);
    });
  }

  it('shows an agent its own questions only', async () => {
    const { list, queries } = bench([rowOf(1)]);
    const agent = callerOf('agent-1', 'agent');
    await list(agent, PAGE);
    assert.equal(queries[0]?.asked_by, 'agent-1');
    const others = await list(agent, { ...PAGE, asked_by: 'agent-2' });
    assert.deepEqual(others.value.suspensions, []);
    assert.equal(queries.length, 1);
  });

  it('resolves a view by what its caller may do', async () => {
    const { list, queries } = bench([rowOf(1)]);
    const inGroup = { ...ALICE, groups: ['finance'] };
    await list(inGroup, { ...PAGE, view: 'for_me' });
    await list(inGroup, { ...PAGE, view: 'groups', group: 'eu' });
    await list(inGroup, { ...PAGE, view: 'answered' });
    await list(inGroup, { ...PAGE, view: 'all' });
    const duties = { separation_of_duties: false, as_initiator: false };
    assert.deepEqual(
      queries.map(({ view, group }) => [view, group]),
      [
        [{ kind: 'for_me', by: inGroup, ...duties }, undefined],
        [{ kind: 'groups', groups: ['finance'] }, 'eu'],
        [{ kind: 'answered', answerer: 'alice' }, undefined],
        [undefined, undefined],
      ],
    );
  });

  for (const [who, by, view] of [
    ['who may not answer', callerOf('carol', 'auditor'), 'for_me'],
    ['an agent', callerOf('agent-1', 'agent'), 'for_me'],
    ['who is in no group', ALICE, 'groups'],
  ] as const) {
    it(`shows nothing ${view} to ${who}, and does not ask the store`, async () => {
      const { list, count, queries } = bench([rowOf(1)]);
      const { value } = await list(by, { ...PAGE, view });
      const counts = await count(by, { view });
      assert.deepEqual(value, { suspensions: [], next_cursor: null });
      assert.equal(counts.value.pending, 0);
      assert.deepEqual(queries, []);
    });
  }

  it('takes no channel for the default one', async () => {
    const { list, queries } = bench();
    await list(ALICE, { ...PAGE, channel: 'console' });
    await list(ALICE, { ...PAGE, channel: 'slack' });
    assert.deepEqual(
      queries.map(({ channels }) => channels),
      [['console', ''], ['slack']],
    );
  });

  it('waits until the store shows what was opened or settled here', async () => {
    const { list, count, asked, settlements, clock } = bench([], (ms) =>
      ms < 20 ? [SUSPENSION_ID] : [],
    );
    settlements.touch(SUSPENSION_ID, 'pending');
    const read = list(ALICE, PAGE);
    await clock.advance(2_000);
    assert.equal((await read).stale, false);
    assert.deepEqual(asked, [0, 5, 15, 35]);
    await count(ALICE, {});
    assert.equal(asked.length, 4, 'nothing is left to wait for');
  });

  it('says stale after two seconds, and gives up after thirty', async () => {
    const { list, settlements, clock } = bench([], () => [OTHER_SUSPENSION_ID]);
    settlements.touch(OTHER_SUSPENSION_ID, 'settled');
    const read = list(ALICE, PAGE);
    await clock.advance(2_000);
    assert.equal((await read).stale, true);
    await clock.advance(30_000);
    assert.equal((await list(ALICE, PAGE)).stale, false);
  });
});
