import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import { tierDraft } from '../../../domain/approval/asking/question.js';
import { checkSummary, summaryOf } from '../../../domain/approval/asking/summary.js';
import { newApproval, stepOf } from '../../../domain/approval/record/state.js';
import { ID, granted, refused } from '../samples.js';
import { partWith } from './wires.js';

const WIRE = {
  id: 'call-1',
  tool: 'wire',
  arguments: { amount: 900, to: { name: 'Hartmann', country: 'DE' }, purpose: 'R-17', fee: 1 },
};

function asked(calls: readonly object[]) {
  const rest = { kind: 'tool_approval', run_id: 'run-7', turn_index: 0, agent: 'bot' } as const;
  const ask = { approval_id: ID, ...rest, calls, visible_context: {} } as never;
  return openingOf(ask, approvalsConfigSchema.parse({}));
}

/** The approval part of the question about calls. */
function part(...calls: readonly object[]) {
  const { proposal, plan = { stages: [] }, ...asking } = granted(asked(calls));
  const state = newApproval(proposal);
  const step = stepOf(state, plan);
  assert.ok(step.kind === 'ask');
  const { approval } = tierDraft(state, step, { ...asking, asked_by: 'bot' });
  return approval ?? assert.fail('no approval');
}

describe('the summary of a call', () => {
  it('has the arguments that the asker chose, in that order', () => {
    const approval = part({ ...WIRE, summary: ['to.country', 'amount'] });
    assert.deepEqual(summaryOf(approval), {
      tool: 'wire',
      arguments: [
        ['to.country', 'DE'],
        ['amount', 900],
      ],
      others: 0,
    });
  });

  it('has the first three where nobody chose, or nothing of the choice is there', () => {
    const first = ['amount', 'to', 'purpose'];
    for (const approval of [part(WIRE), part({ ...WIRE, summary: ['gone', 'to.city'] })]) {
      assert.deepEqual(
        summaryOf(approval)?.arguments.map(([path]) => path),
        first,
      );
    }
  });

  it('counts the other calls, and shows the first as it is after an edit', () => {
    const approval = part({ ...WIRE, summary: ['amount'] }, { ...WIRE, id: 'call-2' });
    const [call, ...others] = approval.proposal.calls;
    const calls = [{ ...(call ?? WIRE), arguments: { amount: 800 } }, ...others];
    const edited = { ...approval, proposal: { ...approval.proposal, calls } };
    assert.deepEqual(summaryOf(edited), { tool: 'wire', arguments: [['amount', 800]], others: 1 });
    assert.equal(summaryOf(partWith({ calls: [] })), undefined);
  });

  it('is not taken with more names than a question can carry', () => {
    const calls = Array.from({ length: 25 }, (_, index) => ({
      ...WIRE,
      id: `call-${index}`,
      summary: ['x'.repeat(200)],
    }));
    const { code, field } = refused(asked(calls));
    assert.deepEqual([code, field], ['invalid_request', 'summary']);
    granted(asked(calls.slice(6)));
  });

  it('is refused unless it is one to five paths', () => {
    const long = 'x'.repeat(LIMITS.nameCharacters);
    const refusedOnes = [
      [],
      'amount',
      [''],
      ['a..b'],
      [1],
      Array(6).fill('a'),
      [`${long}x`],
      ['a', 1],
    ];
    for (const summary of refusedOnes) {
      const { code, field } = refused(checkSummary(summary, 'tools.wire.summary'));
      assert.deepEqual([code, field], ['invalid_request', 'tools.wire.summary']);
    }
    granted(checkSummary(['a', 'b.c', 'd.0', 'e', long], 'summary'));
  });
});
