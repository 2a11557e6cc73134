import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { contextParts } from '../../../domain/suspension/asking/context-beside.js';

type Asked = Parameters<typeof contextParts>[0];

const FORM: Asked = { response_type: 'form' };
const FIELDS = [{ name: 'zip' }];

function parts(asked: Asked) {
  const { beside, elsewhere } = contextParts(asked);
  return { beside: Object.keys(beside), elsewhere: Object.keys(elsewhere) };
}

function approval(calls: number, reason?: string): Asked['approval'] {
  const call = { id: 'a', tool: 'pay', arguments: {} };
  const proposal = { calls: Array.from({ length: calls }, () => call) };
  return { proposal, ...(reason !== undefined && { reason }) } as unknown as Asked['approval'];
}

describe('the context beside a question', () => {
  it('leaves out nothing by its name alone', () => {
    const context = {
      _note: 'mind',
      fields: FIELDS,
      __proto: 1,
      id: 'x',
      reason: 'y',
      tool_call: {},
    };
    const names = Object.keys(context);
    assert.deepEqual(parts({ response_type: 'confirm', context }), {
      beside: names,
      elsewhere: [],
    });
  });

  it('has the fields elsewhere only where the form is made of them', () => {
    const context = { fields: FIELDS, note: 1 };
    assert.deepEqual(parts({ ...FORM, context }), { beside: ['note'], elsewhere: ['fields'] });
    const judged = parts({ ...FORM, context, response_schema: { type: 'object' } });
    assert.deepEqual(judged, { beside: ['fields', 'note'], elsewhere: [] });
    const unnamed = { ...context, fields: [...FIELDS, { label: 'Town' }] };
    assert.deepEqual(parts({ ...FORM, context: unnamed }), {
      beside: ['fields', 'note'],
      elsewhere: [],
    });
  });

  it('has apart what only says which program asks for an approval', () => {
    const plumbing = { agent_id: 'a', agent_module: 'm', node_name: 'n', on_reject: 'cancel_task' };
    const context = { ...plumbing, metadata: {}, note: 1 };
    const asked = { response_type: 'choice', context } as const;
    const split = contextParts({ ...asked, approval: approval(1) });
    assert.deepEqual(split, {
      beside: { note: 1 },
      elsewhere: {},
      plumbing: { ...plumbing, metadata: {} },
    });
    const said = { ...asked, context: { metadata: { owner: 'ops' } }, approval: approval(1) };
    assert.deepEqual(contextParts(said).beside, { metadata: { owner: 'ops' } });
    assert.deepEqual(contextParts(asked).plumbing, {});
  });

  it('has elsewhere what an approval says again, as far as its proposal shows it', () => {
    const context = { note: 1, tool_call: {}, reason: 'why', stage: 0, fields: FIELDS };
    const asked = { response_type: 'choice', context } as const;
    assert.deepEqual(parts({ ...asked, approval: approval(1, 'why') }), {
      beside: ['note', 'fields'],
      elsewhere: ['tool_call', 'reason', 'stage'],
    });
    assert.deepEqual(parts({ ...asked, approval: approval(2) }), {
      beside: ['note', 'tool_call', 'reason', 'fields'],
      elsewhere: ['stage'],
    });
  });

  it('loses nothing between its two parts', () => {
    const context = { a: 1, fields: FIELDS };
    const { beside, elsewhere } = contextParts({ ...FORM, context });
    assert.deepEqual({ ...beside, ...elsewhere }, context);
    assert.deepEqual(contextParts(FORM), { beside: {}, elsewhere: {}, plumbing: {} });
  });
});
