import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import { InvalidFlowError, defineFlow } from '../../../domain/flow/checks.js';
import { humanNode } from '../../../domain/flow/definition.js';
import { resolveAmendment } from '../../../domain/suspension/asking/amended-question.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { ID, granted, recordWith, refused, requestWith } from '../samples.js';

const LIMITS = { choices: 100, contextBytes: 65_536 } as never;
const asked = (fields: Partial<SuspendRequest>) =>
  resolveQuestion(requestWith({ choices: [], ...fields }), null, LIMITS);
const form = (response_schema: JsonObject) => asked({ response_type: 'form', response_schema });

const DONE = { properties: { done: { type: 'boolean' } }, required: ['done'] };

describe('a form that nobody can fill in', () => {
  it('is refused with an empty list of values', () => {
    assert.equal(refused(form({ enum: [] })).field, 'response_schema.enum');
  });
});

describe('a form whose schema says nothing', () => {
  for (const schema of [
    {},
    { title: 'x' },
    { $comment: 'x', description: 'y' },
    { default: 1, examples: [1] },
    { allOf: [{ title: 'x' }], minLength: 0, required: [] },
    { $ref: '#/$defs/a', $defs: { a: {} } },
    { properties: {} },
  ]) {
    it(`is refused: ${JSON.stringify(schema)}`, () => {
      const { code, detail, field } = refused(form(schema));
      assert.deepEqual([code, field], ['invalid_response_schema', 'response_schema']);
      assert.equal(detail, 'The form does not say what is asked.');
    });
  }

  it('is none that names a part of the answer', () => {
    granted(form({ properties: { note: {} } }));
    granted(form({ type: 'object' }));
  });
});

describe('a listed field that nobody can fill in', () => {
  const listed = (...names: string[]) =>
    asked({
      response_type: 'form',
      context: { fields: names.map((name) => ({ name })) },
    });

  for (const name of ['', ' ', '\u200b', '\u2800']) {
    it(`is refused where its name is ${JSON.stringify(name)}`, () => {
      for (const [place, names] of [[name], ['a', name]].entries()) {
        const { code, field, accepted } = refused(listed(...names));
        assert.deepEqual(
          [code, field, accepted],
          ['invalid_request', `context.fields[${place}].name`, 'a name that people can see'],
        );
      }
    });
  }

  it('is refused where another has its name', () => {
    assert.equal(refused(listed('a', 'b', 'a')).field, 'context.fields[2].name');
    granted(listed('a', 'b'));
  });

  it('is refused by an amendment, unless the question had one before', () => {
    const context = { fields: [{ name: '' }] };
    const record = recordWith({ response_type: 'form', context: { fields: [{ name: 'a' }] } });
    assert.equal(
      refused(resolveAmendment(record, { context }, LIMITS)).field,
      'context.fields[0].name',
    );
    granted(resolveAmendment({ ...record, context }, { question: 'Which?' }, LIMITS));
  });
});

describe('data that nobody can give with a decision', () => {
  const TEXT: JsonObject = { type: 'string' };

  for (const response_type of ['confirm', 'choice', 'text'] as const) {
    it(`are refused for a question of type ${response_type}`, () => {
      const choices = response_type === 'choice' ? [{ value: 'a', label: 'A' }] : [];
      const refusal = refused(asked({ response_type, choices, response_schema: TEXT }));
      assert.deepEqual(
        [refusal.code, refusal.field, refusal.accepted],
        ['invalid_response_schema', 'response_schema.type', 'object, or no type'],
      );
      granted(asked({ response_type, choices, response_schema: DONE }));
      granted(asked({ response_type, choices, response_schema: { type: ['object', 'null'] } }));
    });
  }

  it('are refused for an approval', () => {
    const ask = {
      approval_id: ID,
      kind: 'tool_approval',
      run_id: 'run-7',
      turn_index: 0,
      agent: 'bot',
      calls: [{ id: 'call-1', tool: 'wire', arguments: {} }],
      visible_context: {},
    } as const;
    const config = approvalsConfigSchema.parse({});
    const { field } = refused(openingOf({ ...ask, response_schema: TEXT }, config));
    assert.equal(field, 'response_schema.type');
    granted(openingOf({ ...ask, response_schema: DONE }, config));
  });

  it('are refused for a node of a flow', () => {
    const node = { name: 'gate', description: 'A gate', prompt: 'Go on?', response_schema: TEXT };
    const flow = {
      name: 'gated',
      initial: 'gate',
      nodes: { gate: humanNode(node) },
      transitions: { gate: { approved: 'done', rejected: 'done' }, _: { error: 'failed' } },
    };
    assert.throws(() => defineFlow(flow), InvalidFlowError);
    defineFlow({ ...flow, nodes: { gate: humanNode({ ...node, response_schema: DONE }) } });
  });
});
