import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isNewer } from '../../../domain/graph/announcement.js';

interface Said {
  readonly intent_id: string;
  readonly version: number;
  readonly last_sequence: number;
}

const INTENTS = ['a', 'b', 'c'];
const said: fc.Arbitrary<Said> = fc.record(
  {
    intent_id: fc.constantFrom(...INTENTS),
    version: fc.integer({ min: 1, max: 6 }),
    last_sequence: fc.integer({ min: 1, max: 6 }),
  },
  { noNullPrototype: true },
);

/**
 * Announcements of several intents in any order. Some come twice, and some are lost unless they are the last.
 */
const deliveries = fc.array(said, { minLength: 1, maxLength: 20 }).chain((all) => {
  const last = INTENTS.flatMap((id) => newestOf(all, id) ?? []);
  return fc
    .tuple(fc.subarray(all), fc.subarray(all))
    .chain(([some, again]) => fc.tuple(fc.constant(last), shuffled([...last, ...some, ...again])));
});

function shuffled(all: readonly Said[]): fc.Arbitrary<Said[]> {
  return fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });
}

function newestOf(all: readonly Said[], id: string): Said | undefined {
  const own = all.filter(({ intent_id }) => intent_id === id);
  return own.sort((a, b) => b.version - a.version || b.last_sequence - a.last_sequence)[0];
}

/** Keeps the newest of each intent, as every observer does. */
function takeAnnouncement(known: readonly Said[], next: Said): readonly Said[] {
  const earlier = known.find(({ intent_id }) => intent_id === next.intent_id);
  if (!isNewer(earlier, next)) return known;
  return [...known.filter((one) => one !== earlier), next];
}

function byId(a: Said, b: Said): number {
  return a.intent_id < b.intent_id ? -1 : 1;
}

describe('announcements', () => {
  it('leave the same behind in any order, repeated, or with older ones lost [TM-07]', () => {
    fc.assert(
      fc.property(deliveries, ([last, delivered]) => {
        const known = delivered.reduce<readonly Said[]>(takeAnnouncement, []);
        assert.deepEqual([...known].sort(byId), [...last].sort(byId));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leave what is known alone where they are not newer', () => {
    const one = { intent_id: 'a', version: 2, last_sequence: 5 };
    const known = [one];
    assert.equal(takeAnnouncement(known, { ...one, last_sequence: 4 }), known);
    assert.equal(takeAnnouncement(known, { ...one, version: 1, last_sequence: 9 }), known);
    assert.equal(takeAnnouncement(known, { ...one }), known);
    assert.equal(isNewer(one, { intent_id: 'a', version: 3, last_sequence: 1 }), true);
  });
});
