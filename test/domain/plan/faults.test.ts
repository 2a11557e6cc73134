import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { createPlanRequestSchema } from '../../../contracts/plan/plan.js';
import { orderOf } from '../../../domain/kernel/graph.js';
import { holds, parseCondition } from '../../../domain/plan/task.js';
import { planFaults, type PlanParts } from '../../../domain/plan/faults.js';
import { aDefinition, INTENT_ID, TASK_ID } from './task-samples.js';

function parts(definitions: readonly object[], more: object = {}): PlanParts {
  const request = createPlanRequestSchema.parse({ intent_id: INTENT_ID, ...more });
  return {
    ...request,
    definitions: definitions.map(aDefinition),
    existing: [],
    fieldOf: ({ name }) => `phases.${name}`,
  };
}

const RESEARCH = { name: 'research', outputs: { findings: 'Finding', sources: 'array' } };
const TYPES = { types: { Finding: { source: 'string' } } };

describe('a plan that cannot be', () => {
  it('is none where everything fits', () => {
    const inputs = { found: 'research.findings', quarter: '$trigger.quarter' };
    const analysis = { name: 'analysis', depends_on: ['research'], inputs };
    assert.equal(planFaults(parts([RESEARCH, analysis], TYPES)), undefined);
  });

  it('is refused with every reference that leads nowhere', () => {
    const analysis = {
      name: 'analysis',
      depends_on: ['research', 'nobody'],
      inputs: {
        a: 'research.missing',
        b: 'other.key',
        c: 'nonsense',
        d: '$env.key',
        e: 'research.sources',
      },
      outputs: { report: 'Report' },
    };
    const faults = planFaults(parts([RESEARCH, analysis], TYPES));
    assert.equal(faults?.refusal.code, 'input_wiring');
    assert.deepEqual(faults.refusal.state, {
      phase_name: 'analysis',
      invalid_refs: ['nobody', 'research.missing', 'other.key', 'nonsense', '$env.key', 'Report'],
      suggestion: 'research, analysis',
    });
    assert.deepEqual(
      faults.issues.map(({ field }) => field),
      [
        'phases.analysis.depends_on[1]',
        ...['a', 'b', 'c', 'd'].map((key) => `phases.analysis.inputs.${key}`),
        'phases.analysis.outputs.report',
      ],
    );
  });

  it('names 20 faults at most, each with a short text of what would be accepted', () => {
    const long = (name: string) => name.padEnd(190, 'x');
    const names = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, index) => long(`${prefix}${index}`));
    const types = Object.fromEntries(names(500, 't').map((name) => [name, { a: 'string' }]));
    const outputs = Object.fromEntries(names(9_000, 'o').map((name) => [name, 'nothing']));
    const task = aDefinition({
      name: 'p',
      depends_on: names(100, 'q'),
      inputs: Object.fromEntries(names(50, 'i').map((key) => [key, 'nobody.key'])),
      outputs,
    });
    const checked = {
      ...parts([], {}),
      types,
      definitions: names(200, 'p').map((name) => ({ ...task, name })),
    };
    const faults = planFaults(checked);
    assert.equal(faults?.issues.length, LIMITS.reportedIssues);
    assert.ok(JSON.stringify(faults).length < 64 * 1024);
    for (const { accepted = '' } of faults.issues) assert.ok(accepted.length < 700, accepted);
    const ring = names(200, 'p').map((name) => ({ name, depends_on: names(100, 'p') }));
    const cyclic = planFaults(parts(ring));
    assert.equal(cyclic?.refusal.code, 'task_cycle');
    assert.equal(cyclic.issues.length, LIMITS.reportedIssues);
  });

  it('says what each reference could have been', () => {
    const analysis = {
      name: 'analysis',
      depends_on: ['nobody', 'research', 'notes'],
      inputs: {
        a: 'research.missing',
        b: 'other.key',
        c: 'nonsense',
        d: 'later.text',
        e: '$trigger.x.y',
      },
    };
    const loner = { name: 'loner', inputs: { a: 'research.sources' } };
    const more = { types: { Finding: { source: 'Source' }, Wide: { kind: 'nothing' } } };
    const names = [RESEARCH, { name: 'notes' }, { name: 'later' }, analysis, loner];
    const all = 'research, notes, later, analysis, loner';
    const form = '<phase>.<output>, $trigger.<key> or $initial_state.<key>';
    const known = 'string, number, boolean, object, array, Finding, Wide';
    assert.deepEqual(
      planFaults(parts(names, more))?.issues.map(({ field, accepted }) => [field, accepted]),
      [
        ['phases.analysis.depends_on[0]', all],
        ['phases.analysis.inputs.a', 'findings, sources'],
        ['phases.analysis.inputs.b', all],
        ['phases.analysis.inputs.c', form],
        ['phases.analysis.inputs.d', 'research, notes'],
        ['phases.analysis.inputs.e', form],
        ['phases.loner.inputs.a', 'a task named in depends_on'],
        ['types.Finding.source', known],
        ['types.Wide.kind', known],
      ],
    );
  });

  it('is refused where something stands around a reference', () => {
    for (const ref of ['x$trigger.quarter', 'research.sources.0', ' research.sources']) {
      const analysis = { name: 'analysis', depends_on: ['research'], inputs: { a: ref } };
      const faults = planFaults(parts([RESEARCH, analysis], TYPES));
      assert.deepEqual(faults?.refusal.state?.['invalid_refs'], [ref]);
    }
  });

  it('suggests what mends the first phase that is wired wrongly', () => {
    const first = { name: 'first', inputs: { a: 'x.a', b: 'y.b' } };
    const second = { name: 'second', inputs: { a: 'z.a' } };
    const faults = planFaults(parts([first, second]));
    assert.deepEqual(faults?.refusal.state, {
      phase_name: 'first',
      invalid_refs: ['x.a', 'y.b'],
      suggestion: 'first, second',
    });
  });

  it('is refused where two tasks have one name', () => {
    const faults = planFaults(parts([{ name: 'a' }, { name: 'b' }, { name: 'b' }]));
    const detail = 'Two tasks have this name.';
    assert.deepEqual(faults?.issues, [{ field: 'phases.b.name', detail }]);
    assert.deepEqual(faults.refusal.state, {
      phase_name: 'b',
      invalid_refs: ['b'],
      suggestion: detail,
    });
  });

  it('is refused where a checkpoint or a condition is on no task', () => {
    const more = {
      checkpoints: [{ after_task: 'nobody' }, { after_task: 'a' }],
      conditions: [
        { task_id: 'nobody', when: "tasks['a'].output.x" },
        { task_id: TASK_ID, when: "tasks['a'].output.x" },
      ],
    };
    const issuesOf = (definitions: readonly object[], existing: readonly string[]) =>
      planFaults({ ...parts(definitions, more), existing })?.issues.map(({ field, accepted }) => [
        field,
        accepted,
      ]);
    assert.deepEqual(issuesOf([{ name: 'a' }, { name: 'b' }], [TASK_ID]), [
      ['checkpoints[0].after_task', `a, b, ${TASK_ID}`],
      ['conditions[0].task_id', `a, b, ${TASK_ID}`],
    ]);
    assert.deepEqual(issuesOf([], [])?.[0], ['checkpoints[0].after_task', 'a task of the plan']);
  });

  it('is refused where a condition looks at a task that may end later', () => {
    const when = "tasks['a'].output.x";
    const tasks = [
      { name: 'a' },
      { name: 'c' },
      { name: 'b', depends_on: ['c', 'd'] },
      { name: 'd' },
      { name: 'e', depends_on: ['a'] },
    ];
    const conditions = ['b', 'c', 'e'].map((task_id) => ({ task_id, when }));
    const issues = planFaults(parts(tasks, { conditions }))?.issues ?? [];
    assert.deepEqual(
      issues.map(({ field, accepted }) => [field, accepted]),
      [
        ['conditions[0].when', 'c, d'],
        ['conditions[1].when', 'a dependency'],
      ],
    );
    assert.match(issues[0]?.detail ?? '', /b does not depend on a\.$/);
  });

  it('is refused with the definition at which a cycle begins', () => {
    const cyclic = parts([
      { name: 'x' },
      { name: 'a', depends_on: ['b'] },
      { name: 'b', depends_on: ['a'] },
    ]);
    const fieldOf = ({ name }: { readonly name: string }, index: number) => `${name} at ${index}`;
    assert.equal(planFaults({ ...cyclic, fieldOf })?.issues[0]?.field, 'a at 1.depends_on');
  });

  it('is refused where inputs come from a phase that is no dependency', () => {
    const eager = { name: 'analysis', inputs: { a: 'research.sources' } };
    const faults = planFaults(parts([RESEARCH, eager], TYPES));
    assert.equal(faults?.issues[0]?.detail, 'analysis does not depend on research.');
  });

  it('takes any output of a phase that declares none', () => {
    const loose = { name: 'analysis', depends_on: ['notes'], inputs: { a: 'notes.anything' } };
    assert.equal(planFaults(parts([{ name: 'notes' }, loose])), undefined);
  });

  it('is refused with the path of each cycle, beside all else', () => {
    const faults = planFaults(
      parts(
        [
          { name: 'a', depends_on: ['c'] },
          { name: 'b', depends_on: ['a'] },
          { name: 'c', depends_on: ['b'], inputs: { x: 'nowhere.x' } },
          { name: 'd', depends_on: ['d'] },
        ],
        {
          checkpoints: [{ after_task: 'nobody' }],
          conditions: [{ task_id: 'b', when: 'true' }],
        },
      ),
    );
    assert.equal(faults?.refusal.code, 'task_cycle');
    assert.deepEqual(faults.refusal.state?.['cycles'], [
      ['a', 'c', 'b', 'a'],
      ['d', 'd'],
    ]);
    assert.deepEqual(
      faults.issues.map(({ field }) => field),
      [
        'phases.a.depends_on',
        'phases.d.depends_on',
        'phases.c.inputs.x',
        'checkpoints[0].after_task',
        'conditions[0].when',
      ],
    );
  });

  it('is refused where a checkpoint or a task is there twice', () => {
    const points = [{ id: 'cp', after_task: 'notes' }, { after_task: 'notes' }];
    const none = parts([{ name: 'notes' }], { checkpoints: points });
    assert.equal(planFaults({ ...none, existing: [TASK_ID] }), undefined);
    const twice = parts([{ name: 'notes' }], { checkpoints: [...points, points[0]] });
    const faults = planFaults({ ...twice, existing: [TASK_ID, TASK_ID] });
    assert.equal(faults?.refusal.code, 'invalid_plan');
    assert.deepEqual(
      faults.issues.map(({ field }) => field),
      ['checkpoints[2].id', 'tasks'],
    );
    assert.deepEqual(
      faults.issues.map(({ detail, accepted }) => [detail, accepted]),
      [
        ['cp is there twice.', 'each id once'],
        [`${TASK_ID} is there twice.`, 'each id once'],
      ],
    );
    const unnamed = [{ after_task: 'notes' }, { after_task: 'notes' }];
    assert.equal(planFaults(parts([{ name: 'notes' }], { checkpoints: unnamed })), undefined);
  });

  it('orders what has no cycle so that each comes after those it waits for', () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 });
    const property = fc.property(edges, (pairs) => {
      const nodes = Array.from({ length: 10 }, (_, index) => ({
        name: String(index),
        depends_on: pairs.flatMap(([a, b]) => (a === index && b < a ? [String(b)] : [])),
      }));
      const { ordered, cycles } = orderOf([...nodes].reverse());
      assert.deepEqual(cycles, []);
      assert.equal(ordered.length, nodes.length);
      ordered.forEach(({ depends_on }, at) => {
        for (const name of depends_on) {
          assert.ok(ordered.findIndex((node) => node.name === name) < at);
        }
      });
    });
    fc.assert(property);
  });
});

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
