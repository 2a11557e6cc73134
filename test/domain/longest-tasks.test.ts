import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { argumentFaults } from '../../domain/approval/asking/turn.js';
import { editedPart } from '../../domain/approval/proposal/edits.js';
import { newIntent } from '../../domain/intent/entity.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { orderOf } from '../../domain/kernel/graph.js';
import { hashJson } from '../../domain/kernel/hashing.js';
import { writePlainState } from '../../domain/openintent/question-writes.js';
import { checkSchema } from '../../domain/schema/checks.js';
import { labelFault } from '../../domain/suspension/form/labels.js';
import { checkValue } from '../../domain/suspension/answering/response.js';
import { caller } from '../support/callers.js';
import { leastCpuMs } from '../support/cpu-time.js';
import { partWith } from './approval/wires.js';
import { INTENT_ID, OPENED_AT, granted, recordWith, refused } from './samples.js';

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
  function takesNow(work: () => unknown, times = JUDGED, most = TASK_MS): void {
    const ms = leastCpuMs(work, most / times) * times;
    assert.ok(ms < most, `${ms} ms`);
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

  const turn = list(LIMITS.proposedCalls, (index) => ({
    id: `call-${index}`,
    name: `tool-${index % 4}`,
    arguments: MANY,
  }));
  takes('the arguments of all calls of a turn', () => argumentFaults(turn, () => LOOSE), 1);

  it('judges all calls of a turn with no more work than one answer may take', () => {
    const [first, ...others] = argumentFaults(turn, (name) =>
      name === 'tool-3' ? undefined : LOOSE,
    );
    assert.equal(first, undefined);
    for (const [index, fault] of others.entries()) {
      if (turn[index + 1]?.name === 'tool-3') assert.equal(fault, undefined);
      else assert.match(String(fault), /take too long to be judged .* make fewer of them/);
    }
  });

  const numbers = list(LIMITS.intentStateBytes / 2 - 100, () => 1);
  const state = { numbers, [SUSPENSION_SLOT]: { id: 'a' } };
  const removals = list(1_000, () => ({ op: 'remove' as const, path: '/numbers/0' }));
  const echo = { op: 'set' as const, path: `/${SUSPENSION_SLOT}/note`, value: 1 };
  const intent = newIntent(
    { title: 'Refund', status: 'active', constraints: {}, state },
    { id: INTENT_ID, created_by: 'agent', owner: 'agent', created_at: OPENED_AT },
  );
  const write = {
    by: caller('agent'),
    actor: 'agent',
    now: Date.parse(OPENED_AT),
    maxBytes: LIMITS.intentStateBytes,
    questionIsOpen: false,
    lastId: 'a',
  };
  for (const [what, patches] of Object.entries({
    'removals from the front of the largest list': removals,
    'removals from the largest list, and a write of the question': [...removals.slice(1), echo],
    'removals from the largest list, between others': removals.map((removal, index) =>
      index % 2 === 0 ? removal : { op: 'set' as const, path: '/numbers/1', value: 2 },
    ),
  })) {
    it(`is far from long for as many ${what} as a request may have`, () => {
      takesNow(() => writePlainState(intent, patches, write), JUDGED, TASK_MS / 2);
    });
  }

  const names = Object.fromEntries(list(30_000, (index) => [`${30_000 - index}`, 1]));
  takes('the hash of the largest body', () => hashJson(names), 1);

  const nodes = list(LIMITS.planTasks, (index) => ({
    name: `task-${index}`,
    depends_on: list(Math.min(index, LIMITS.listedNames), (nth) => `task-${index - nth - 1}`),
  }));
  takes('the order of the largest plan', () => orderOf(nodes));
});
