import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { editedPart } from '../../domain/approval/edits.js';
import { applyPatches } from '../../domain/intent/state-patch.js';
import { orderOf } from '../../domain/kernel/graph.js';
import { hashJson } from '../../domain/kernel/hashing.js';
import { checkSchema } from '../../domain/schema/checks.js';
import { labelFault } from '../../domain/suspension/labels.js';
import { checkValue } from '../../domain/suspension/response.js';
import { leastCpuMs } from '../support/cpu-time.js';
import { partWith } from './approval/wires.js';
import { granted, recordWith, refused } from './samples.js';

/** What a task of a workflow may take. */
const TASK_MS = 200;
/** An Update is judged by its validator, and once more where it is taken over. */
const JUDGED = 2;

function list<T>(length: number, of: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => of(index));
}

/** A schema of nearly 16 KiB, and arguments that take about as much work as one answer may. */
const SLOW: JsonObject = { propertyNames: { anyOf: list(1_000, () => ({ const: 1 })) } };
/** The same, which any arguments fit. */
const LOOSE: JsonObject = { propertyNames: { anyOf: [{}, ...list(999, () => ({ const: 1 }))] } };
const MANY = Object.fromEntries(list(20, (index) => [`name ${index}`, index]));

describe('the longest task of a workflow', () => {
  function takesNow(work: () => unknown, times = JUDGED): void {
    const ms = leastCpuMs(work) * times;
    assert.ok(ms < TASK_MS, `${ms} ms`);
  }
  function takes(what: string, work: () => unknown, times = JUDGED): void {
    it(`is short for ${what}`, () => {
      takesNow(work, times);
    });
  }

  const calls = list(LIMITS.proposedCalls, (index) => ({
    id: `call-${index}`,
    tool: `wire-${index % 4}`,
    arguments: {},
  }));
  const part = {
    ...partWith({ calls }),
    input_schemas: Object.fromEntries(list(4, (index) => [`wire-${index}`, { ...LOOSE }])),
  };
  const edits = calls.map(({ id }) => ({ call_id: id, arguments: MANY }));
  const answer = { value: 'approved', edits, edits_allowed: { risk_class: 'low' } } as const;

  takes('edits of all calls that an approval may have', () => editedPart(part, answer));

  it('judges all edits of an answer with no more work than one answer may take', () => {
    granted(editedPart(part, { ...answer, edits: edits.slice(0, 1) }));
    const { code, field, accepted } = refused(editedPart(part, answer));
    assert.deepEqual([code, field], ['invalid_edit', 'edits[1].arguments']);
    assert.equal(accepted, 'fewer edits, or shorter arguments');
  });

  const form = recordWith({ response_type: 'form', response_schema: SLOW });
  takes('an answer to a form', () => checkValue(form, MANY));
  takes('a schema that is looked at', () => checkSchema(SLOW), 1);

  it('compiles no more patterns than are soon compiled', () => {
    const anyOf = list(60, (index) => ({ pattern: `^${'.'.repeat(251)}${index}` }));
    const { code, accepted } = refused(checkSchema({ anyOf }));
    assert.deepEqual(
      [code, accepted],
      ['invalid_response_schema', 'patterns of at most 2000 characters together'],
    );
    const form = recordWith({ response_type: 'form', response_schema: { anyOf } });
    assert.equal(refused(checkValue(form, 'x')).code, 'invalid_value');
    takesNow(() => checkValue(form, 'x'));
  });

  for (const [what, label] of Object.entries({
    marks: `a${'\u0316\u0301'.repeat(22_000)}`,
    'marks in another order': `a${'\u0301'.repeat(20_000)}${'\u0316'.repeat(20_000)}`,
    'letters that stand for many': '\uFDFA'.repeat(30_000),
  })) {
    const choices = [
      { value: 'yes', label },
      { value: label, label: 'No' },
    ];
    takes(`a label of many ${what}`, () => labelFault({ response_type: 'choice', choices }));
  }

  const numbers = list(LIMITS.intentStateBytes / 2 - 100, () => 1);
  const removals = list(1_000, () => ({ op: 'remove' as const, path: '/numbers/0' }));
  takes(
    'as many patches as a request may have, of the largest state',
    () => applyPatches({ numbers }, removals, { maxBytes: LIMITS.intentStateBytes }),
    1,
  );

  const names = Object.fromEntries(list(30_000, (index) => [`${30_000 - index}`, 1]));
  takes('the hash of the largest body', () => hashJson(names), 1);

  const nodes = list(LIMITS.planTasks, (index) => ({
    name: `task-${index}`,
    depends_on: list(Math.min(index, LIMITS.listedNames), (nth) => `task-${index - nth - 1}`),
  }));
  takes('the order of the largest plan', () => orderOf(nodes));
});
