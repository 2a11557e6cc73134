import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cycleOf, orderOf } from '../../../domain/kernel/graph.js';
import { isInstant, isObject, isOneOf, isWorkflowId } from '../../../domain/kernel/message-form.js';
import { checkAhead, checkFieldSizes, checkIfMatch } from '../../../domain/kernel/ruling.js';
import { asMarkdown, shortened, summaryOf } from '../../../domain/kernel/text.js';
import { clockAhead, plusSeconds } from '../../../domain/kernel/time.js';
import { granted, OPENED_AT, refused } from '../samples.js';

describe('a text in Markdown', () => {
  it('shows each special character as it is', () => {
    for (const character of '\\`*_[]<>#|') {
      assert.equal(asMarkdown(`a${character}b`), `a\\${character}b`);
    }
  });

  it('is one line without spaces around it', () => {
    assert.equal(asMarkdown(' a\r\n\r\n  b\tc\n'), 'a b c');
  });

  it('keeps all other characters', () => {
    const plain = 'Refund 12.50 € to (Jo) {now}, + more - "later"! é 😀';
    assert.equal(asMarkdown(plain), plain);
  });
});

describe('a shortened id [R25-100]', () => {
  it('has its first eight characters', () => {
    assert.equal(shortened('3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11'), '3f0c1b9e…');
  });
});

describe('the summary of a workflow', () => {
  const bytesAsJson = (text: string) => Buffer.byteLength(JSON.stringify(text));

  it('keeps a text that takes 300 bytes as JSON', () => {
    const text = 'x'.repeat(298);
    assert.deepEqual([bytesAsJson(text), summaryOf(text)], [300, text]);
  });

  it('cuts a text that takes more', () => {
    assert.equal(summaryOf('x'.repeat(299)), `${'x'.repeat(298)}…`);
  });

  it('counts characters as JSON writes them', () => {
    assert.equal(summaryOf('"'.repeat(149)), '"'.repeat(149));
    assert.equal(summaryOf('"'.repeat(150)), `${'"'.repeat(149)}…`);
  });
});

describe('the form of a message that nobody checked', () => {
  for (const [value, expected] of [
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['{}', false],
    [7, false],
  ] as const) {
    it(`${expected ? 'takes' : 'does not take'} ${JSON.stringify(value)} for an object`, () => {
      assert.equal(isObject(value), expected);
    });
  }

  for (const [what, value, expected] of [
    ['a text', 'order-7', true],
    ['one character', 'x', true],
    ['a thousand characters', 'x'.repeat(1_000), true],
    ['a thousand and one characters', 'x'.repeat(1_001), false],
    ['an empty text', '', false],
    ['a number', 7, false],
    ['a list', ['order-7'], false],
  ] as const) {
    it(`${expected ? 'takes' : 'does not take'} ${what} for the id of a workflow`, () => {
      assert.equal(isWorkflowId(value), expected);
    });
  }

  it('takes only instants that the store can hold', () => {
    assert.equal(isInstant('2026-03-24T10:00:00Z'), true);
    for (const value of ['soon', undefined, 1_774_346_400_000, '+012026-03-24T10:00:00Z']) {
      assert.equal(isInstant(value), false);
    }
  });

  it('takes only an accepted text, not what reads the same', () => {
    const accepted = ['skip', 'cancel'] as const;
    assert.deepEqual(
      ['skip', 'cancel', 'other', ['skip'], undefined].map((value) => isOneOf(value, accepted)),
      [true, true, false, false, false],
    );
  });
});

describe('the version that a write names', () => {
  it('is accepted if it is the current one', () => {
    assert.equal(granted(checkIfMatch(3, 3, {})), true);
  });

  for (const named of [2, 4]) {
    it(`is refused with the current one and the state: ${named} of 3`, () => {
      const { detail: _, ...refusal } = refused(checkIfMatch(3, named, { status: 'active' }));
      assert.deepEqual(refusal, {
        code: 'version_conflict',
        field: 'If-Match',
        accepted: '3',
        state: { current_version: 3, status: 'active' },
      });
    });
  }
});

describe('the size of a field', () => {
  const TEN_BYTES = 'x'.repeat(8);

  it('may be the limit', () => {
    assert.equal(granted(checkFieldSizes({ a: TEN_BYTES, b: TEN_BYTES }, 10)), true);
  });

  it('is refused above the limit, for the first field that is too large', () => {
    const fields = { a: TEN_BYTES, b: `${TEN_BYTES}x`, c: `${TEN_BYTES}x` };
    const { code, field } = refused(checkFieldSizes(fields, 10));
    assert.deepEqual([code, field], ['invalid_request', 'b']);
  });

  it('is nothing for a field that is left out', () => {
    assert.equal(granted(checkFieldSizes({ a: undefined }, 0)), true);
  });
});

describe('an instant that must lie ahead', () => {
  const TEXTS = { field: 'expires_at', past: 'It is over.', far: 'It is too far.' };
  const check = (seconds: number) =>
    checkAhead(plusSeconds(OPENED_AT, seconds), OPENED_AT, 60, TEXTS);

  for (const seconds of [0.001, 60]) {
    it(`is accepted ${seconds} s after now, in a window of 60 s`, () => {
      assert.equal(granted(check(seconds)), true);
    });
  }

  for (const [seconds, code, detail] of [
    [-1, 'deadline_in_past', TEXTS.past],
    [0, 'deadline_in_past', TEXTS.past],
    [60.001, 'invalid_request', TEXTS.far],
  ] as const) {
    it(`is refused as ${code} ${seconds} s after now, in a window of 60 s`, () => {
      const refusal = refused(check(seconds));
      assert.deepEqual([refusal.code, refusal.detail], [code, detail]);
      assert.equal(refusal.field, 'expires_at');
    });
  }
});

const edge = (intent_id: string, dependency_id: string) => ({ intent_id, dependency_id });

describe('cycles of dependencies', () => {
  it('are reported as a path', () => {
    const edges = [edge('b', 'c'), edge('c', 'd'), edge('d', 'a'), edge('b', 'x'), edge('x', 'd')];
    assert.deepEqual(cycleOf(edges, edge('a', 'b')), ['a', 'b', 'c', 'd', 'a']);
    assert.deepEqual(cycleOf([edge('b', 'a')], edge('a', 'b')), ['a', 'b', 'a']);
    assert.deepEqual(cycleOf([], edge('a', 'a')), ['a', 'a']);
  });

  it('are not seen where two ways lead to the same intent', () => {
    const diamond = [edge('b', 'd'), edge('c', 'd'), edge('d', 'e')];
    assert.equal(cycleOf([...diamond, edge('a', 'c')], edge('a', 'b')), undefined);
  });

  it('never come about where each edge is looked at before it is added', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, ids), { maxLength: 30 }), (wanted) => {
        const edges: ReturnType<typeof edge>[] = [];
        for (const [from, to] of wanted) {
          const path = cycleOf(edges, edge(from, to));
          if (path === undefined) edges.push(edge(from, to));
          else {
            assert.deepEqual([path[0], path[1], path.at(-1)], [from, to, from]);
            const steps = path.slice(1, -1).map((id, index) => [id, path[index + 2]]);
            for (const [at, next] of steps) {
              assert.ok(edges.some((one) => one.intent_id === at && one.dependency_id === next));
            }
          }
        }
        assert.ok(isAcyclic(edges));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the order of nodes', () => {
  const node = (name: string, ...depends_on: string[]) => ({ name, depends_on });
  const namesOf = (nodes: readonly { name: string }[]) => nodes.map(({ name }) => name);

  it('has each node after its dependencies, and else as listed', () => {
    const nodes = [node('d', 'b', 'c'), node('a'), node('b', 'a'), node('c', 'a'), node('e')];
    const { ordered, cycles } = orderOf(nodes);
    assert.deepEqual(namesOf(ordered), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(cycles, []);
  });

  it('ignores dependencies outside the list', () => {
    assert.deepEqual(namesOf(orderOf([node('a', 'elsewhere')]).ordered), ['a']);
  });

  it('has each node once even where there are cycles, and names these', () => {
    const nodes = [node('x', 'a'), node('a', 'b'), node('b', 'c', 'b'), node('c', 'a')];
    const { ordered, cycles } = orderOf(nodes);
    assert.deepEqual(namesOf(ordered).sort(), ['a', 'b', 'c', 'x']);
    assert.deepEqual(cycles, [
      ['a', 'b', 'c', 'a'],
      ['b', 'b'],
    ]);
  });
});

/** Takes away what depends on nothing, again and again. */
function isAcyclic(edges: readonly ReturnType<typeof edge>[]): boolean {
  const left = edges.filter(({ dependency_id }) =>
    edges.some(({ intent_id }) => intent_id === dependency_id),
  );
  return left.length === 0 || (left.length < edges.length && isAcyclic(left));
}

const HOUR_MS = 3_600_000;

describe('clocks of a time zone', () => {
  for (const [zone, instant, hours] of [
    ['UTC', '2026-07-01T12:00:00Z', 0],
    ['Europe/Berlin', '2026-03-29T00:59:59.999Z', 1],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
    ['America/New_York', '2026-12-31T23:59:59.999Z', -5],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 5.75],
    ['Pacific/Kiritimati', '2028-02-29T12:30:15Z', 14],
  ] as const) {
    it(`are ${hours} hours ahead in ${zone} at ${instant}`, () => {
      assert.equal(clockAhead(zone, Date.parse(instant)), hours * HOUR_MS);
    });
  }

  it('are those of no place without such a zone', () => {
    assert.throws(() => clockAhead('Mars/Olympus', 0), RangeError);
  });
});
