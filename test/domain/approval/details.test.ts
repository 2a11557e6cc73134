import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { describeApproval } from '../../../domain/approval/record/details.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { approvalWith, hashOfProposal, proposalWith, resolutionOf } from './samples.js';

const JUDGED = {
  verdict: 'escalate',
  risk_class: 'low',
  route: 'policy_pack',
  pack: 'treasury',
} as const;
const CONFIG = approvalsConfigSchema.parse({
  rules: [JUDGED],
  packs: {
    treasury: {
      stages: [
        {
          name: 'team_1',
          approvers: { groups: ['finance'] },
          quorum: 2,
          tiers: [
            { timeout_seconds: 600 },
            { approvers: { principals: ['lea'], roles: ['admin'] }, timeout_seconds: 7_200 },
          ],
        },
        { tiers: [{ timeout_seconds: 86_400, on_timeout: 'allow' }] },
      ],
    },
  },
});
const PLAN = planOf(JUDGED, CONFIG, { agent: 'bot' });

const linesOf = (fields: object) =>
  describeApproval({ ...approvalWith(), ...fields }, PLAN).split('\n');

describe('details of an approval', () => {
  it('say first where it stands, who is asked and what comes next', () => {
    assert.deepEqual(linesOf({ suspension_id: 'q-1' }), [
      '**Waiting for approval**: stage 1 of 2 (team\\_1), tier 1 of 2',
      '',
      '- Asked: group finance, 2 have to approve within 10 min; question `q-1`',
      '- If nobody decides: tier 2 is asked, lea, role admin',
      '- Once approved: stage 2 of 2 is asked',
      '- Would run: wire {"amount":500}',
      '- Route: human_required, risk: high',
      '- Agent bot for ursula, run run-7; asked by bot',
      `- Proposal: version 1, hash \`${hashOfProposal(proposalWith())}\``,
    ]);
  });

  it('say what follows from the last tier and the last stage', () => {
    assert.deepEqual(linesOf({ tier: 1 }).slice(2, 5), [
      '- Asked: lea, role admin, 2 have to approve within 2 h',
      '- If nobody decides: denied',
      '- Once approved: stage 2 of 2 is asked',
    ]);
    assert.deepEqual(linesOf({ stage: 1 }).slice(0, 5), [
      '**Waiting for approval**: stage 2 of 2, tier 1 of 1',
      '',
      '- Asked: operators and admins, 1 has to approve within 1 d',
      '- If nobody decides: it runs',
      '- Once approved: it runs',
    ]);
  });

  it('say how it ended, and who has voted', () => {
    const proposal = proposalWith({ version: 2 });
    const view = approvalWith(proposal, resolutionOf(proposal, { reason: 'all_in order' }));
    const lines = describeApproval(view).split('\n');
    assert.equal(
      lines[0],
      '**approved** by people, ursula at 2026-03-24T10:00:00.000Z (all\\_in order)',
    );
    assert.equal(lines[3], '- ursula approved at 2026-03-24T10:00:00.000Z');
    assert.match(lines.at(-1) ?? '', /^- Proposal: version 2, edited, hash/);
  });

  it('say what no plan says: nothing', () => {
    const lines = describeApproval(approvalWith()).split('\n');
    assert.equal(lines[0], '**Waiting for approval**: stage 1 of 1, tier 1 of 1');
    assert.match(lines[2] ?? '', /^- Would run/);
  });

  it('show five calls, and cut what is long', () => {
    const calls = Array.from({ length: 7 }, (_, nth) => ({
      id: `call-${nth}`,
      tool: 'mail',
      arguments: { text: 'x'.repeat(500) },
    }));
    const lines = describeApproval(approvalWith(proposalWith({ calls }))).split('\n');
    const shown = lines.filter((line) => line.startsWith('- Would run: mail'));
    assert.equal(shown.length, 5);
    assert.ok(shown.every((line) => line.length < 240 && line.endsWith('…')));
    assert.ok(lines.includes('- and 2 more'));
  });
});
