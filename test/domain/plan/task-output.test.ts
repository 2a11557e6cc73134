import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { DeclaredOutputs, DeclaredTypes } from '../../../contracts/plan/task.js';
import { validateOutput } from '../../../domain/plan/task-output.js';
import { TASK_ID } from './task-samples.js';

const TYPES: DeclaredTypes = {
  Finding: { source: 'string', confidence: { type: 'number', required: false } },
  Report: { finding: 'Finding' },
};

function check(outputs: DeclaredOutputs, output: JsonObject) {
  return validateOutput({ id: TASK_ID, name: 'review', outputs }, TYPES, output);
}

function fieldOf(outputs: DeclaredOutputs, output: JsonObject) {
  const ruling = check(outputs, output);
  return ruling.ok ? undefined : ruling.refusal.field;
}

function stateOf(outputs: DeclaredOutputs, output: JsonObject) {
  const ruling = check(outputs, output);
  assert.ok(!ruling.ok);
  return [ruling.refusal.code, ruling.refusal.state];
}

describe('the output of a task', () => {
  it('is taken where it has what was declared, and more', () => {
    const output = { summary: 'fine', sources: [], more: null };
    const ruling = check({ summary: 'string', sources: 'array' }, output);
    assert.deepEqual(ruling, { ok: true, value: output });
    assert.ok(check({}, { anything: 1 }).ok, 'nothing declared');
    assert.ok(check({ note: { type: 'string', required: false } }, {}).ok, 'optional');
  });

  it('is refused with every key that is missing', () => {
    const outputs = { a: 'string', b: 'number', c: { type: 'array', required: false } };
    assert.deepEqual(stateOf(outputs, {}), [
      'missing_output',
      { task_id: TASK_ID, phase_name: 'review', missing_keys: ['a', 'b'] },
    ]);
    assert.equal(stateOf({ toString: 'string' }, {})[0], 'missing_output');
  });

  it('is refused for the first wrong key, after those that fit', () => {
    const outputs = { a: 'string', b: 'number', c: 'number' };
    assert.equal(fieldOf(outputs, { a: '', b: '1', c: '2' }), 'output.b');
    assert.equal(fieldOf(outputs, { a: '' }), 'output');
  });

  const MISMATCHES: readonly (readonly [string, JsonObject, string, string, string])[] = [
    ['number', { value: '1' }, 'value', 'number', 'string'],
    ['string', { value: null }, 'value', 'string', 'null'],
    ['object', { value: [] }, 'value', 'object', 'array'],
    ['array', { value: {} }, 'value', 'array', 'object'],
    ['boolean', { value: 0 }, 'value', 'boolean', 'number'],
    ['Finding', { value: 'x' }, 'value', 'Finding', 'string'],
    ['Finding', { value: {} }, 'value.source', 'string', 'missing'],
    ['Report', { value: { finding: { source: 1 } } }, 'value.finding.source', 'string', 'number'],
  ];
  for (const [type, output, key, expected_type, actual_type] of MISMATCHES) {
    it(`is refused where ${key} is ${actual_type} instead of ${expected_type}`, () => {
      assert.deepEqual(stateOf({ value: type }, output), [
        'output_type_mismatch',
        { task_id: TASK_ID, phase_name: 'review', key, expected_type, actual_type },
      ]);
    });
  }
});
