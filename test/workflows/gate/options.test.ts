import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ApplicationFailure } from '@temporalio/common';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { checkedTurn, type GateOptions } from '../../../workflows/gate/options.js';

const TOOL = { run: () => Promise.resolve('ok') };
const OPTIONS: GateOptions = { agent: 'bot', turn_index: 0, calls: [], tools: { wire: TOOL } };

function refusalOf(options: Partial<GateOptions>): Refusal {
  try {
    checkedTurn({ ...OPTIONS, ...options }, 'run-1');
  } catch (error) {
    assert.ok(error instanceof ApplicationFailure, String(error));
    return error.details?.[0] as Refusal;
  }
  return assert.fail('nothing was refused');
}

describe('the options of a turn', () => {
  for (const lost of [NaN, Infinity, -Infinity]) {
    it(`are refused with the path to ${lost}, which JSON has as null`, () => {
      const context = { order: { amounts: [1, lost] } };
      const { code, field, accepted } = refusalOf({ context });
      assert.deepEqual(
        [code, field, accepted],
        ['invalid_request', 'context.order.amounts[1]', 'a finite number'],
      );
      const tools = { wire: { ...TOOL, metadata: { limit: lost } } };
      assert.equal(refusalOf({ tools }).field, 'tools.wire.metadata.limit');
    });
  }

  it('are refused with a summary that names no arguments', () => {
    const tools = { wire: { ...TOOL, summary: ['to..country'] } };
    assert.equal(refusalOf({ tools }).field, 'tools.wire.summary');
  });

  it('are refused with what is no JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const context of [circle, { big: 1n }] as never[]) {
      assert.equal(refusalOf({ context }).field, 'context');
    }
  });

  it('are taken with numbers that are kept', () => {
    assert.deepEqual(checkedTurn({ ...OPTIONS, context: { a: 0.1 } }, 'run-1').context, { a: 0.1 });
  });
});
