import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StatePatch } from '../../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { applyPatches, pathProblem } from '../../../domain/intent/state-patch.js';
import { granted, refused } from '../samples.js';

const ROOM = { maxBytes: 10_000 };

function set(path: string, value: JsonValue): StatePatch {
  return { op: 'set', path, value };
}
function append(path: string, value: JsonValue): StatePatch {
  return { op: 'append', path, value };
}
function remove(path: string): StatePatch {
  return { op: 'remove', path };
}

const part = fc.constantFrom('a', 'b', 'list', '0', '1', '2', '', '~', '_suspension', '__proto__');
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
const patch: fc.Arbitrary<StatePatch> = fc.oneof(
  fc.record({ op: fc.constantFrom('set' as const, 'append' as const), path, value }),
  fc.record({ op: fc.constant('remove' as const), path }),
);
const state = fc.dictionary(
  fc.constantFrom('a', 'b', 'list', '0'),
  fc.oneof(value, fc.array(value, { maxLength: 3 })),
);

describe('state patches', () => {
  const APPLIED: readonly [string, JsonObject, StatePatch[], JsonObject][] = [
    ['set a key', {}, [set('a', 1)], { a: 1 }],
    ['ignore slashes around a path', {}, [set('/a/', 1)], { a: 1 }],
    ['ignore empty parts within a path', { a: {} }, [set('a//b', 1)], { a: { b: 1 } }],
    ['create the objects that are missing', {}, [set('a/b/c', 1)], { a: { b: { c: 1 } } }],
    ['keep what stands beside', { a: { x: 1 } }, [set('a/b', 2)], { a: { x: 1, b: 2 } }],
    ['replace a value of any kind', { a: { x: 1 } }, [set('a', null)], { a: null }],
    ['set within a list', { l: [1, 2] }, [set('l/1', 9)], { l: [1, 9] }],
    ['set the place after a list', { l: [1] }, [set('l/1', 2)], { l: [1, 2] }],
    ['set below a list', { l: [{ a: 1 }] }, [set('l/0/a', 2)], { l: [{ a: 2 }] }],
    ['take a number for a key of an object', { a: {} }, [set('a/0', 1)], { a: { '0': 1 } }],
    ['append to a list', { l: [1] }, [append('l', [2])], { l: [1, [2]] }],
    ['append to a list that is missing', {}, [append('a/l', 1)], { a: { l: [1] } }],
    ['append to a list in a list', { l: [[1]] }, [append('l/0', 2)], { l: [[1, 2]] }],
    ['remove a key', { a: 1, b: 2 }, [remove('a')], { b: 2 }],
    ['remove from a list', { l: [1, 2, 3] }, [remove('l/1')], { l: [1, 3] }],
    ['remove a null', { a: { b: null } }, [remove('a/b')], { a: {} }],
    [
      'pass over what is not there',
      { a: 1 },
      [remove('b'), remove('a/b'), remove('c/d')],
      { a: 1 },
    ],
    ['pass over a place past the list', { l: [1] }, [remove('l/7'), remove('l/x')], { l: [1] }],
    ['remove no entry by a name', { l: [1] }, [remove('l/length')], { l: [1] }],
    ['pass over what every object inherits', {}, [remove('toString')], {}],
    ['treat an inherited name as missing', {}, [set('toString/a', 1)], { toString: { a: 1 } }],
    [
      'build on one another',
      {},
      [set('a', { b: 1 }), set('a/b', 2), append('a/c', 3)],
      { a: { b: 2, c: [3] } },
    ],
    ['leave a name like the slot alone', {}, [set('_suspensions', 1)], { _suspensions: 1 }],
    ['leave a deeper slot alone', {}, [set('a/_suspension', 1)], { a: { _suspension: 1 } }],
    [
      'leave the slot in the state',
      { _suspension: { id: 'x' } },
      [set('a', 1)],
      { _suspension: { id: 'x' }, a: 1 },
    ],
  ];
  for (const [title, before, patches, after] of APPLIED) {
    it(title, () => {
      assert.deepEqual(granted(applyPatches(before, patches, ROOM)), after);
    });
  }

  const REFUSED: readonly [string, JsonObject, StatePatch][] = [
    ['append to what is no list', { a: { b: 1 } }, append('a/b', 2)],
    ['append to a null', { a: null }, append('a', 2)],
    ['set below a number', { a: 1 }, set('a/b', 2)],
    ['set below a null', { a: null }, set('a/b', 2)],
    ['set a name within a list', { l: [1] }, set('l/x', 2)],
    ['leave a gap in a list', { l: [1] }, set('l/2', 2)],
    ['create an object beyond a list', { l: [1] }, set('l/2/a', 2)],
    ['count backwards in a list', { l: [1] }, set('l/-1', 2)],
    ['read an index with a leading zero', { l: [1] }, set('l/00', 2)],
    ['name nothing', {}, set('//', 1)],
    ['write the suspension slot', {}, set('_suspension', {})],
    ['write below the suspension slot', { _suspension: {} }, set('/_suspension//response', 'yes')],
    ['append to the suspension slot', {}, append('_suspension/choices', {})],
    ['remove the suspension slot', { _suspension: {} }, remove('/_suspension')],
    ['write a prototype', {}, set('__proto__/polluted', true)],
    ['reach a constructor', { a: {} }, set('a/constructor/prototype/polluted', true)],
    ['remove a prototype', {}, remove('a/prototype')],
    ['nest deeper than a body may', {}, set(Array<string>(101).fill('a').join('/'), 1)],
  ];
  for (const [title, before, wrong] of REFUSED) {
    it(`are refused where they ${title}`, () => {
      const refusal = refused(applyPatches(before, [set('ok', 1), wrong], ROOM));
      assert.equal(refusal.code, 'invalid_patch');
      assert.equal(refusal.field, 'patches[1].path');
      assert.match(refusal.detail, /\.$/);
      assert.ok(refusal.accepted, 'says what would be accepted');
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });
  }

  it('do not count the record of a question, whose answer may be large', () => {
    const answered = { _suspension: { response: 'x'.repeat(1_000) } };
    const state = granted(applyPatches(answered, [set('a', 1)], { maxBytes: 10 }));
    assert.deepEqual(state, { ...answered, a: 1 });
  });

  it('are refused where the state becomes too large, by one byte', () => {
    const patches = [set('a', 'üüü')];
    const size = jsonBytes({ a: 'üüü' });
    assert.ok(applyPatches({}, patches, { maxBytes: size }).ok);
    const refusal = refused(applyPatches({}, patches, { maxBytes: size - 1 }));
    assert.deepEqual(
      [refusal.code, refusal.accepted],
      ['state_too_large', `at most ${size - 1} bytes of JSON`],
    );
  });

  it('count the record of a question as soon as one of them writes it', () => {
    const patches = [set('a', 1), set('_suspension/response', 'x'.repeat(100))];
    const refusal = refused(applyPatches({}, patches, { maxBytes: 50, slotIsOpen: true }));
    assert.equal(refusal.code, 'state_too_large');
  });

  it('may nest as deep as a body may', () => {
    const deepest = Array<string>(100).fill('a').join('/');
    assert.ok(applyPatches({}, [set(deepest, 1)], ROOM).ok);
  });

  it('may write the record of a question only where that is allowed', () => {
    assert.notEqual(pathProblem('/_suspension/response'), undefined);
    assert.equal(pathProblem('/_suspension/response', true), undefined);
    assert.equal(pathProblem('/a'), undefined);
  });

  it('never change the state or the patches they are given', () => {
    fc.assert(
      fc.property(state, fc.array(patch, { maxLength: 5 }), (before, patches) => {
        const [stateText, patchText] = [JSON.stringify(before), JSON.stringify(patches)];
        applyPatches(before, patches, ROOM);
        assert.equal(JSON.stringify(before), stateText);
        assert.equal(JSON.stringify(patches), patchText);
      }),
    );
  });

  it('leave of a list what is left where each takes effect before the next', () => {
    const step = fc.tuple(fc.constantFrom('set', 'remove', 'append'), fc.nat(12));
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), fc.array(step), (list, steps) => {
        const expected: JsonValue[] = [...list];
        const patches = steps.flatMap(([op, index], nth): StatePatch[] => {
          if (op === 'append') expected.push(nth);
          else if (op === 'remove') expected.splice(index, 1);
          else if (index <= expected.length) expected[index] = nth;
          else return [];
          if (op === 'remove') return [{ op, path: `a/l/${index}` }];
          return [op === 'append' ? append('a/l', nth) : set(`a/l/${index}`, nth)];
        });
        assert.deepEqual(granted(applyPatches({ a: { l: list } }, patches, ROOM)), {
          a: { l: expected },
        });
      }),
    );
  });

  it('say how long a list is beside what they have removed from it', () => {
    const patches: StatePatch[] = [{ op: 'remove', path: 'l/0' }, set('l/3', 1)];
    const refusal = refused(applyPatches({ l: [1, 2, 3] }, patches, ROOM));
    assert.deepEqual([refusal.field, refusal.accepted], ['patches[1].path', 'a place from 0 to 2']);
  });

  it('read back what was set last', () => {
    fc.assert(
      fc.property(state, value, (before, wanted) => {
        const after = granted(applyPatches(before, [set('deep', {}), set('deep/x', wanted)], ROOM));
        const expected: unknown = JSON.parse(JSON.stringify(wanted));
        assert.deepEqual((after['deep'] as JsonObject)['x'], expected);
      }),
    );
  });
});
