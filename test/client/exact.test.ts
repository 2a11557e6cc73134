import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Agent, InexactJsonError, parseExact } from '../../client/index.js';
import { isExactNumber } from '../../contracts/constants/exact-json.js';
import { INTENT } from '../api/support/records.js';

function agentThat() {
  const bodies: string[] = [];
  const agent = new Agent({
    baseUrl: 'http://127.0.0.1:4000',
    apiKey: 'agent-key',
    fetch: async (_url, { body }) => {
      bodies.push(body as string);
      return Response.json(INTENT, { status: 201 });
    },
  });
  return { agent, bodies };
}

describe('what the client sends', () => {
  it('holds texts and numbers as they are', async () => {
    const { agent, bodies } = agentThat();
    const state = { id: '9007199254740993', rate: 0.30000000000000004, cost: '1.50' };
    await agent.createIntent({ title: 'Pay', state });
    assert.deepEqual((JSON.parse(bodies[0] ?? '') as { state: unknown }).state, state);
  });

  it('is no number that JSON would write as null', async () => {
    const { agent, bodies } = agentThat();
    for (const amount of [NaN, Infinity, 1n as unknown as number]) {
      await assert.rejects(agent.createIntent({ title: 'Pay', state: { amount } }), TypeError);
    }
    assert.deepEqual(bodies, []);
  });
});

describe('what the client reads', () => {
  it('loses nothing of what the service writes: each number leads back to its double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number);
        assert.ok(isExactNumber(text), text);
        assert.equal(JSON.parse(text), number === 0 ? 0 : number);
      }),
    );
  });
});

describe('what a program hands to the client', () => {
  it('is read by it as the server would', () => {
    assert.deepEqual(parseExact('{"amount": 1.50}'), { amount: 1.5 });
    assert.throws(
      () => parseExact('{"to":{"account":9007199254740993}}'),
      (error) => error instanceof InexactJsonError && error.fault.field === 'to.account',
    );
  });
});
