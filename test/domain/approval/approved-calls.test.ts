import assert from 'node:assert/strict';
import type { Proposal } from '../../../contracts/approval/approval.js';
import {
  approvedCalls,
  idempotencyKeyOf,
  type DecidedProposal,
} from '../../../domain/approval/running/redemption.js';
import { hashOf } from '../../../domain/approval/proposal/proposal.js';

const LIVE: Proposal = {
  approval_id: '0b6a4a3e-1f0e-4a55-9d0a-111111111111',
  version: 1,
  kind: 'tool_approval',
  run_id: 'run-1',
  turn_index: 3,
  agent: 'bot',
  calls: [
    { id: 'c1', tool: 'deploy', arguments: { env: 'prod' } },
    { id: 'c2', tool: 'wire', arguments: { amount: 1 } },
  ],
  prompt: 'Run them?',
  visible_context: {},
  route: 'human_required',
  risk_class: 'medium',
};
const [FIRST, SECOND] = LIVE.calls;
assert.ok(FIRST && SECOND);
const EDITED: Proposal = {
  ...LIVE,
  version: 2,
  risk_class: 'high',
  calls: [{ ...FIRST, arguments: { env: 'staging' } }, SECOND],
};

function decided(proposal: Proposal, rest: Partial<DecidedProposal> = {}): DecidedProposal {
  return {
    resolution: { status: 'approved', proposal_hash: hashOf(proposal) },
    proposal,
    proposed_hash: hashOf(LIVE),
    ...rest,
  };
}

describe('what runs after an approval', () => {
  it('is exactly what was proposed and approved [A54-22]', () => {
    assert.deepEqual(approvedCalls(LIVE, decided(LIVE)), { ok: true, value: LIVE.calls });
  });

  it('is exactly what a person made of it, if the arguments were edited [A54-22]', () => {
    assert.deepEqual(approvedCalls(LIVE, decided(EDITED)), { ok: true, value: EDITED.calls });
  });

  const swapped = { ...EDITED, calls: [...EDITED.calls].reverse() };
  const CHANGED: readonly (readonly [string, Proposal, DecidedProposal])[] = [
    [
      'the agent holds other arguments now',
      { ...LIVE, calls: [{ ...FIRST, arguments: { env: 'staging' } }, SECOND] },
      decided(LIVE),
    ],
    ['the agent holds another call now', { ...LIVE, calls: [FIRST] }, decided(LIVE)],
    ['the agent is in another turn', { ...LIVE, turn_index: 4 }, decided(LIVE)],
    ['the agent holds another call than before an edit', { ...LIVE, prompt: '?' }, decided(EDITED)],
    [
      'the approved hash is that of something else',
      LIVE,
      decided(LIVE, { resolution: { status: 'approved', proposal_hash: hashOf(EDITED) } }),
    ],
    ['it comes back changed under the same version', LIVE, decided({ ...LIVE, route: 'auto' })],
    [
      'an edit names another tool',
      LIVE,
      decided({ ...EDITED, calls: [{ ...FIRST, tool: 'rm' }, SECOND] }),
    ],
    ['an edit drops a call', LIVE, decided({ ...EDITED, calls: [FIRST] })],
    ['an edit swaps the calls', LIVE, decided(swapped)],
    ['an edit changes the user', LIVE, decided({ ...EDITED, on_behalf_of: 'eve' })],
    ['an edit has an older version', LIVE, decided({ ...EDITED, version: 0 })],
    [
      'it was not approved at all',
      LIVE,
      decided(LIVE, { resolution: { status: 'rejected', proposal_hash: hashOf(LIVE) } }),
    ],
  ];
  for (const [title, live, back] of CHANGED) {
    it(`is nothing if ${title} [A54-22]`, () => {
      const ruling = approvedCalls(live, back);
      assert.ok(!ruling.ok);
      assert.equal(ruling.refusal.code, 'proposal_mutation_detected');
    });
  }
});

describe('the key under which a tool acts once', () => {
  it('belongs to the approval, or to the turn without one [P3-23]', () => {
    const { approval_id } = LIVE;
    assert.equal(idempotencyKeyOf('c1', { approval_id }), `${approval_id}:c1`);
    assert.equal(idempotencyKeyOf('c1', { run_id: 'run-1', turn_index: 3 }), 'run-1:3:c1');
  });
});
