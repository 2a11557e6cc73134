import assert from 'node:assert/strict';
import type { Reconciliation, TimeRange } from '../../activities/ports/reconciliation.js';
import { isAnythingUnwritten } from '../../activities/unwritten.js';
import type { EntityKey } from '../../contracts/kernel/primitives.js';
import { noQuestions } from './support.js';

const NOW = new Date('2026-03-24T10:00:00.000Z');
const ONE: EntityKey = { id: 'one', space: 'team-b' };

/** An installation of which Temporal lists one thing of each kind, and the store lacks these. */
function lacking(...what: readonly string[]) {
  const ranges: (TimeRange | string)[] = [];
  const untils: string[] = [];
  async function* listed(range: TimeRange | string) {
    ranges.push(range);
    yield [ONE];
  }
  const lacks = (name: string) => async (page: readonly EntityKey[]) =>
    what.includes(name) ? page : [];
  const lackedUntil = (name: string) => async (page: readonly EntityKey[], until: string) => {
    untils.push(until);
    return what.includes(name) ? page : [];
  };
  const none = noQuestions();
  const reconciliation: Reconciliation = {
    ...none,
    endedIn: listed,
    runningSince: (_type, range) => listed(range),
    notSettled: lacks('an end'),
    notOpened: lacks('an opening'),
    notCreated: lacks('an intent'),
    intentsBehind: lackedUntil('a change of an intent'),
    entities: {
      ...none.entities,
      async *endedIn(range) {
        for await (const [one] of listed(range)) if (one) yield [{ type: 'plan', ...one }];
      },
      stillOpen: async (page) => (what.includes('the end of a lost plan') ? page : []),
    },
    forgotten: {
      ...none.forgotten,
      settledIn: listed,
      settledOf: lackedUntil('an end that its workflow forgot'),
      runningOf: lacks('an older end that its workflow forgot'),
      async *contradicted() {
        if (what.includes('a contradiction'))
          yield [{ ...ONE, asked_by: null, waiting_workflow: null }];
      },
    },
    approvals: {
      ...none.approvals,
      endedIn: listed,
      notKnown: lacks('an approval'),
      notDecided: lacks('a decision'),
    },
  };
  return { ranges, untils, isLacking: () => isAnythingUnwritten(reconciliation, NOW) };
}

describe('a look for anything unwritten', () => {
  it('finds whatever the reconciler would write', async () => {
    const kinds = [
      'an end',
      'an opening',
      'an intent',
      'a change of an intent',
      'an approval',
      'a decision',
      'an end that its workflow forgot',
      'an older end that its workflow forgot',
      'a contradiction',
      'the end of a lost plan',
    ];
    for (const kind of kinds) assert.equal(await lacking(kind).isLacking(), true, kind);
  });

  it('goes through the last minutes, without the half minute that writers have', async () => {
    const { ranges, untils, isLacking } = lacking();
    assert.equal(await isLacking(), false);
    const range = { from: '2026-03-24T09:54:30.000Z', to: '2026-03-24T09:59:30.000Z' };
    assert.deepEqual(
      ranges,
      Array.from({ length: 7 }, () => range),
    );
    assert.deepEqual(untils, [range.to, range.to, range.to]);
  });
});
