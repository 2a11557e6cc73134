import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { holds, parseCondition } from '../../../domain/plan/task.js';

describe('a condition', () => {
  const OUTPUT = { count: 3, flag: false, deep: { text: 'b' }, digit: '5', words: 'two words' };
  const CASES: readonly (readonly [string, boolean])[] = [
    ["tasks['audit'].output.count > 2", true],
    ["tasks['audit'].output.count >= 4", false],
    ["tasks['audit'].output.count < 4", true],
    ["tasks['audit'].output.count <= 2", false],
    ["tasks['audit'].output.flag == true", false],
    ["tasks['audit'].output.flag != true", true],
    ["tasks['audit'].output.flag != 'false'", false],
    ["tasks['audit'].output.digit != 5", false],
    ["tasks['audit'].output.deep != 'b'", false],
    ["tasks['audit'].output.nothing != 'b'", true],
    ['tasks["audit"].output.deep.text == "b"', true],
    ["tasks['audit'].output.deep.text > 'a'", true],
    ["tasks['audit'].output.count > 'a'", false],
    ["tasks['audit'].output.nothing", false],
    ["tasks['audit'].output.count", true],
    ["tasks['audit'].output.nothing == null", true],
    ["tasks['audit'].output.count > 3", false],
    ["tasks['audit'].output.count >= 3", true],
    ["tasks['audit'].output.count < 3", false],
    ["tasks['audit'].output.count <= 3", true],
    ["tasks['audit'].output.count < '9'", false],
    ["tasks['audit'].output.deep.text < 9", false],
    ["tasks['audit'].output.digit < 9", false],
    ["tasks['audit'].output.flag < true", false],
    ["tasks['audit'].output.nothing <= 0", false],
    ["tasks['audit'].output.deep.text == 'b'", true],
    ["tasks['audit'].output.words == 'two words'", true],
    ["tasks['audit'].output.deep.text.length == null", true],
    ["tasks['audit'].output.nothing.deeper == null", true],
    ["tasks['audit'].output.toString == null", true],
    ["  tasks['audit'].output.count==3  ", true],
  ];
  for (const [when, expected] of CASES) {
    it(`${expected ? 'holds' : 'does not hold'}: ${when}`, () => {
      const condition = parseCondition(when);
      assert.ok(condition);
      assert.equal(holds(condition, OUTPUT), expected);
    });
  }

  it('names its task and the path to the value', () => {
    assert.deepEqual(parseCondition("tasks['audit-1'].output.deep.text >= 2"), {
      task: 'audit-1',
      path: ['deep', 'text'],
      comparison: { operator: '>=', literal: 2 },
    });
    assert.deepEqual(parseCondition('tasks["audit_1"].output.x'), { task: 'audit_1', path: ['x'] });
  });

  it('of another form cannot be read', () => {
    for (const when of [
      'true',
      'tasks.audit.output.x',
      "tasks['a'].output.x == y",
      'process.exit()',
      "tasks['a'].output.x == y'b'",
      "tasks['a'].output.x == 'b'y",
      "tasks['a'].output.x == 'b",
      "tasks['a'].output.x ==",
      "tasks['a'].output.x = 1",
      "tasks['a'].output.x 1",
      "tasks['a'].output",
      "tasks['a'].output.",
      "tasks['a b'].output.x",
      "tasks[''].output.x",
      'tasks["a\'].output.x',
      "go tasks['a'].output.x",
      "tasks['a'].output.x == 9007199254740993",
      "tasks['a'].output.x > [1e-400]",
      `tasks['a'].output.x == {"n":1,"n":2}`,
    ]) {
      assert.equal(parseCondition(when), undefined, when);
    }
  });
});
