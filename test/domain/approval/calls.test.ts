import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { ToolCall } from '../../../contracts/approval/gate.js';
import { checkCalls } from '../../../domain/approval/asking/turn.js';
import { granted, refused } from '../samples.js';

const call = (id: string, rest: object = {}) => ({ id, name: 'deploy', arguments: {}, ...rest });
const withArguments = (given: unknown) => call('a', { arguments: given });

/** Objects within each other, `depth` of them. */
function nested(depth: number): object {
  let value: object = {};
  for (let at = 1; at < depth; at += 1) value = { in: value };
  return value;
}

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

/** Each level holds the next one twice: few objects, and 2 ** 60 values as JSON. */
function shared(): object {
  let value: object = {};
  for (let at = 0; at < 60; at += 1) value = { a: value, b: value };
  return value;
}

describe('the calls of a turn', () => {
  it('pass as a model makes them', () => {
    const calls = [
      call('a'),
      call('b', { arguments: { requires_approval: false, left_out: undefined } }),
      call('c', { arguments: nested(LIMITS.argumentsDepth) }),
    ];
    assert.deepEqual(
      granted(checkCalls(calls)),
      calls.map((one) => ({ call: one })),
    );
  });

  for (const [what, malformed, fault] of [
    ['no object', null, /no object with id/],
    ['a text', 'deploy', /no object with id/],
    ['without an id', { name: 'deploy', arguments: {} }, /The id of the call is not/],
    ['with a number as its id', call(7 as never), /The id of the call is not/],
    ['with an empty id', call(''), /The id of the call is not/],
    ['with a long id', call('x'.repeat(201)), /The id of the call is not/],
    ['with an id that came before', call('first'), /Another call .* the same id/],
    ['with an empty name', call('a', { name: '' }), /The name of the tool is not/],
    ['with white space around its name', call('a', { name: ' deploy' }), /The name of the tool/],
    ['with a number as its name', call('a', { name: 7 }), /The name of the tool is not/],
    ['with a list of arguments', withArguments([]), /arguments of the call are no object/],
    ['with null as its arguments', withArguments(null), /arguments of the call are no object/],
    ['with a number as its arguments', withArguments(7), /arguments of the call are no object/],
    ['with a text of arguments', withArguments('{}'), /arguments of the call are no object/],
    ['without arguments', { id: 'a', name: 'deploy' }, /arguments of the call are no object/],
    ['whose arguments are deep', withArguments(nested(102)), /nested too deeply/],
    ['whose arguments hold themselves', withArguments(cyclic()), /nested too deeply/],
    ['whose arguments are large', withArguments({ a: 'x'.repeat(LIMITS.callBytes) }), /too large/],
    ['whose arguments share much', withArguments(shared()), /too large/],
    ['with a function', withArguments({ a: () => 1 }), /not JSON/],
    ['with a bigint', withArguments({ a: 1n }), /not JSON/],
    ['with a symbol', withArguments({ a: Symbol('a') }), /not JSON/],
    ['with what is no number', withArguments({ a: Number.NaN }), /not JSON/],
    ['with a hole in a list', withArguments({ a: [undefined] }), /not JSON/],
    ['with a date', withArguments({ a: new Date(0) }), /not JSON/],
    ['with a map', withArguments({ a: new Map() }), /not JSON/],
    ['with __proto__', withArguments(JSON.parse('{"__proto__":{"a":1}}')), /__proto__/],
  ] as const) {
    it(`have a fault each, and the others none: one ${what} [JC-34]`, () => {
      const [first, second, third] = granted(checkCalls([call('first'), malformed, call('z')]));
      assert.deepEqual([first, third], [{ call: call('first') }, { call: call('z') }]);
      assert.match(second?.fault ?? '', fault);
      assert.match(second?.fault ?? '', /^[A-Z].*\.$/);
      assert.deepEqual(second?.call.arguments, {});
      const { id, name } = (Object(malformed) === malformed ? malformed : {}) as Partial<ToolCall>;
      const named = [id, name].map((text) => (typeof text === 'string' ? text : ''));
      assert.deepEqual([second.call.id, second.call.name], named);
    });
  }

  it('are a hundred at most: the rest have a fault', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => call(`c${index}`));
    const checked = granted(checkCalls(many));
    assert.equal(checked.length, 5_000);
    const sound = checked.filter(({ fault }) => fault === undefined);
    assert.deepEqual([sound.length, sound.at(-1)?.call.id], [LIMITS.proposedCalls, 'c99']);
    assert.match(checked.at(-1)?.fault ?? '', /at most 100 calls/);
  });

  it('have a bound together: what comes beyond it has a fault, and a small one after it none', () => {
    const large = { text: 'x'.repeat(LIMITS.callBytes - 20) };
    const calls = Array.from({ length: 6 }, (_, index) => call(`c${index}`, { arguments: large }));
    const checked = granted(checkCalls([...calls, call('small', { arguments: { a: 1 } })]));
    const faults = checked.map(({ fault }) => fault !== undefined);
    assert.deepEqual(faults, [false, false, false, false, true, true, false]);
  });

  it('are a list', () => {
    for (const calls of ['deploy', null, {}, undefined]) {
      const { code, field } = refused(checkCalls(calls));
      assert.deepEqual([code, field], ['invalid_request', 'calls']);
    }
  });
});
