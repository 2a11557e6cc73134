import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createPlanRequestSchema } from '../../../contracts/plan.js';
import { holds, parseCondition } from '../../../domain/plan/condition.js';
import { planFaults, type PlanParts } from '../../../domain/plan/faults.js';
import { orderOf } from '../../../domain/kernel/graph.js';
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
  const OUTPUT = { count: 3, flag: false, deep: { text: 'b' } };
  const CASES: readonly (readonly [string, boolean])[] = [
    ["tasks['audit'].output.count > 2", true],
    ["tasks['audit'].output.count >= 4", false],
    ["tasks['audit'].output.count < 4", true],
    ["tasks['audit'].output.count <= 2", false],
    ["tasks['audit'].output.flag == true", false],
    ["tasks['audit'].output.flag != true", true],
    ['tasks["audit"].output.deep.text == "b"', true],
    ["tasks['audit'].output.deep.text > 'a'", true],
    ["tasks['audit'].output.count > 'a'", false],
    ["tasks['audit'].output.nothing", false],
    ["tasks['audit'].output.count", true],
    ["tasks['audit'].output.nothing == null", true],
  ];
  for (const [when, expected] of CASES) {
    it(`${expected ? 'holds' : 'does not hold'}: ${when}`, () => {
      const condition = parseCondition(when);
      assert.ok(condition);
      assert.equal(holds(condition, OUTPUT), expected);
    });
  }

  it('of another form cannot be read', () => {
    for (const when of [
      'true',
      'tasks.audit.output.x',
      "tasks['a'].output.x == y",
      'process.exit()',
    ]) {
      assert.equal(parseCondition(when), undefined, when);
    }
  });
});
