import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scaled, without, type Spent } from '../../bench/question-costs.js';

const NOTHING: Spent = {
  ms: 1_000,
  writes: {},
  visibility: {},
  others: {},
  tasks: {},
  activities: {},
  actions: {},
  cpu: {},
};

describe('what a question costs', () => {
  it('is what was spent less what the stack does by itself, for each question', () => {
    const spent = { ...NOTHING, ms: 4_000, writes: { Create: 10, Update: 50 }, cpu: { api: 90 } };
    const idle = { ...NOTHING, ms: 2_000, writes: { Update: 5 }, cpu: { api: 10 } };
    const cost = scaled(without(spent, idle), 1 / 10);
    assert.deepEqual(cost.writes, { Create: 1, Update: 4 });
    assert.deepEqual(cost.cpu, { api: 7 });
    assert.equal(cost.ms, 400);
  });
});
