import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToolCall } from '../../../contracts/approval/gate.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { Gates, callOf } from '../support/gates.js';
import { perSuite } from '../support/world.js';

const SEARCH = callOf('search', { q: 'tides' });
const DEPLOY = callOf('deploy', { env: 'prod' });

/** Objects within each other. */
function nested(depth: number): JsonValue {
  return depth === 0 ? {} : { in: nested(depth - 1) };
}

describe('a turn with malformed calls', () => {
  let gates: Gates;
  perSuite(Gates, (one) => (gates = one));

  it('has an error of each malformed call, and goes on with the others [JC-34]', async () => {
    const malformed: readonly unknown[] = [
      callOf(' deploy'),
      callOf('deploy now'),
      callOf('', {}, 'call-nameless'),
      callOf('deploy', {}, DEPLOY.id),
      { ...callOf('search', {}, 'call-list'), arguments: [1] },
      { ...callOf('search', {}, 'call-null'), arguments: null },
      { ...callOf('search', {}, 'call-number'), arguments: 7 },
      { ...callOf('search', {}, 'call-text'), arguments: '{}' },
      { name: 'search', arguments: {} },
      { id: 7, name: 'search', arguments: {} },
      callOf('search', nested(200) as JsonObject, 'call-deep'),
      callOf('search', { text: 'x'.repeat(300_000) }, 'call-large'),
      null,
      'search',
    ];
    const before = gates.ran.length;
    const agent = await gates.turn({ calls: [DEPLOY, ...(malformed as ToolCall[]), SEARCH] });
    await gates.decide(await gates.one(agent), 'approved');
    const outcome = await agent.result();
    assert.equal(outcome.status, 'completed');
    assert.deepEqual(
      outcome.results.map(({ status }) => status),
      ['completed', ...malformed.map(() => 'errored'), 'completed'],
    );
    assert.deepEqual(gates.ran.slice(before).toSorted(), ['deploy', 'search']);
    for (const { content, is_error } of outcome.results.slice(1, -1)) {
      assert.match(content, /^Tool result for ".*": ERROR\. [A-Z]/);
      assert.equal(is_error, true);
    }
  });
});
