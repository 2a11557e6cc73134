import assert from 'node:assert/strict';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { ApprovalNote } from '../../../contracts/approval/log.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { describeApproval, endedAt } from '../../../domain/approval/record/details.js';
import {
  checkApproval,
  checkNotErased,
  erasedApproval,
  erasedApprovalRow,
  erasedNote,
  erasedState,
} from '../../../domain/approval/record/erasure.js';
import { newApproval, resolved } from '../../../domain/approval/record/state.js';
import { claimAt, newDesk, redeemAt } from '../../../domain/approval/running/desk.js';
import { granted, refused } from '../samples.js';
import { approvalWith, hashOfProposal, proposalWith, resolutionOf } from './samples.js';
import { wireWith } from './wires.js';

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

const AT = '2026-03-24T12:00:00.000Z';
const LATER = '2026-03-25T12:00:00.000Z';
const RESOLVED_AT = '2026-03-24T10:00:00.000Z';
const ZEROS = '0'.repeat(64);

const STATE = resolved(
  newApproval(wireWith()),
  { status: 'approved', by: 'people', respondent: 'dana', comment: 'ok', reason: 'asked' },
  RESOLVED_AT,
);
const VIEW = {
  status: 'approved',
  proposal: STATE.proposal,
  proposal_hash: STATE.proposal_hash,
  proposed_hash: STATE.proposed_hash,
  resolution: STATE.resolution,
} as ApprovalView;
const CALL = { call_id: 'call-1', token: 1, lease_until: AT };
const REQUEST = { holder: 'p1', lease_seconds: 60 };

describe('an approval that is erased', () => {
  it('says who decided, and nothing of what was proposed', () => {
    const { proposal, resolution, proposal_hash, erased_at } = erasedApproval(VIEW, AT);
    assert.deepEqual(
      [proposal.calls, proposal.prompt, proposal.visible_context],
      [[], '[erased]', {}],
    );
    assert.deepEqual([proposal_hash, resolution?.proposal_hash, erased_at], [ZEROS, ZEROS, AT]);
    assert.deepEqual(
      [resolution?.respondent, resolution?.comment, resolution?.reason],
      ['dana', undefined, undefined],
    );
  });

  it('keeps the instant of the first erasure', () => {
    assert.equal(erasedApproval(erasedApproval(VIEW, AT), LATER).erased_at, AT);
  });

  it('gives nothing to its agent any more', () => {
    const state = erasedState(STATE, AT);
    const wanted = { status: 'approved', erased_at: AT };
    for (const ruling of [
      redeemAt(newDesk(true), state, REQUEST, AT),
      claimAt(newDesk(true), state, REQUEST, AT),
      checkNotErased(state),
    ]) {
      const { code, state: shown } = refused(ruling);
      assert.deepEqual([code, shown], ['approval_decided', wanted]);
    }
    assert.equal(granted(checkNotErased(STATE)), true);
  });

  it('still says in an event of which approval that is', () => {
    const given = { run_id: 'run-7', payload: { approval_id: 'a1', mail: 'ada' } };
    const note = given as Partial<ApprovalNote> as ApprovalNote;
    const payload = { approval_id: 'a1', run_id: 'run-7' };
    assert.deepEqual(erasedNote(note), { ...note, payload });
  });

  it('leaves other rows to the rules of questions', () => {
    const entry = { detail: { mail: 'ada' } };
    const row = { kind: 'timeline', suspension_id: 's1', entry, seal: { payload_salt: 's' } };
    const left = { ...row, entry: { detail: {} }, seal: { payload_salt: null } };
    assert.deepEqual(erasedApprovalRow(row as never, AT), left);
  });
});

describe('whether the question of an approval may be erased', () => {
  it('depends on its decision and its intent', () => {
    assert.equal(granted(checkApproval(undefined)), true);
    assert.equal(granted(checkApproval({ intent_id: null, pending: false })), true);
    const code = (intent_id: string | null, pending: boolean) =>
      refused(checkApproval({ intent_id, pending })).code;
    assert.equal(code(null, true), 'question_open');
    assert.equal(code('i1', true), 'question_of_intent');
    assert.equal(code('i1', false), 'question_of_intent');
  });
});

describe('since when an approval is over', () => {
  const redemption = { checkpoint: null, request_hash: null, calls: [] };
  const seen = (fields: Partial<ApprovalView>) => endedAt({ ...VIEW, ...fields });

  it('is unknown before its decision, and while something may be left', () => {
    const { resolution: _resolution, ...pending } = VIEW;
    assert.equal(endedAt({ ...pending, status: 'pending' }), null);
    assert.equal(seen({ redemption }), null);
    assert.equal(seen({ redemption: { ...redemption, calls: [CALL] } }), null);
    const checkpoint = { status: 'hibernated', token: 0 } as const;
    assert.equal(seen({ status: 'rejected', redemption: { ...redemption, checkpoint } }), null);
  });

  it('is its decision where nothing is picked up', () => {
    assert.equal(seen({}), RESOLVED_AT);
    assert.equal(seen({ status: 'rejected', redemption }), RESOLVED_AT);
    const checkpoint = { status: 'resumed', token: 1 } as const;
    assert.equal(
      seen({ status: 'rejected', redemption: { ...redemption, checkpoint } }),
      RESOLVED_AT,
    );
    assert.equal(seen({ erased_at: AT, redemption }), RESOLVED_AT);
  });

  it('is when its last call has run, or when the time for that is over', () => {
    const ran = (completed_at: string) =>
      seen({ redemption: { ...redemption, calls: [{ ...CALL, completed_at }] } });
    assert.equal(ran(AT), AT);
    assert.equal(ran('2026-03-24T09:00:00.000Z'), RESOLVED_AT);
    assert.equal(seen({ redemption: { ...redemption, redeemable_until: LATER } }), LATER);
  });
});
