import assert from 'node:assert/strict';
import type {
  ApprovalPart,
  Approver,
  EditedCall,
  Proposal,
} from '../../../contracts/approval/approval.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Vote } from '../../../contracts/suspension/decision.js';
import { isVotesCast, votesCast } from '../../../domain/approval/deciding/votes.js';
import {
  editedPart,
  type EditingAnswer,
  editTrace,
  judgeEdits,
  KEPT_EDIT_BYTES,
} from '../../../domain/approval/proposal/edits.js';
import { hashOf, latestOf } from '../../../domain/approval/proposal/proposal.js';
import { newApproval, tierAsked, versionEdited } from '../../../domain/approval/record/state.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { granted, refused } from '../samples.js';
import { approvalWith, AT, proposalWith } from './samples.js';
import { partWith, wireWith } from './wires.js';

const edit = (given: EditedCall['arguments'], call_id = 'call-1') => ({
  call_id,
  arguments: given,
});
const LESS = edit({ amount: 100, to: 'DE1' });
const SAME = edit({ to: 'DE1', amount: 900 });
const PACKS = { treasury: { stages: [{}] }, legal: { stages: [{}] } };

function rulesOf(...rules: readonly object[]) {
  return approvalsConfigSchema.parse({ rules, packs: PACKS }).rules;
}

/** A wire is denied from 10,000 on, needs two people from 1,000 on, one from 500 on, and else none. */
const RULES = rulesOf(
  {
    tool: 'wire',
    arguments: { amount: { at_least: 10_000 } },
    verdict: 'deny',
    risk_class: 'critical',
  },
  { tool: 'wire', arguments: { to: { equals: 'XX1' } }, ...packed('treasury') },
  { tool: 'wire', arguments: { to: { equals: 'XX2' } }, ...packed('legal') },
  {
    tool: 'wire',
    arguments: { amount: { at_least: 1_000 } },
    verdict: 'escalate',
    risk_class: 'high',
    route: 'dual_approval',
  },
  {
    tool: 'wire',
    agent: 'bot',
    arguments: { amount: { at_least: 500 } },
    verdict: 'escalate',
    risk_class: 'medium',
  },
  { tool: 'wire', agent: 'bot', verdict: 'allow', risk_class: 'low' },
);

function packed(pack: string) {
  return { verdict: 'escalate', risk_class: 'high', route: 'policy_pack', pack } as const;
}

describe('edits and the rules', () => {
  const judge = (edits: readonly EditedCall[], fields: Partial<Proposal> = {}) =>
    judgeEdits(RULES, wireWith({ route: 'human_required', ...fields }), edits);

  it('allow what needs no more than was asked for, with its risk', () => {
    assert.deepEqual(granted(judge([LESS])), { risk_class: 'medium' });
    const large = edit({ amount: 2_000, to: 'DE1' });
    assert.deepEqual(granted(judge([large], { route: 'dual_approval' })), { risk_class: 'high' });
  });

  it('refuse what is denied', () => {
    const calls = [...wireWith().calls, { id: 'call-2', tool: 'wire', arguments: {} }];
    const denied = edit({ amount: 10_000 }, 'call-2');
    const refusal = refused(judge([LESS, denied], { calls }));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.detail],
      ['edit_not_allowed', 'edits[1].arguments', 'The rules deny the edited call.'],
    );
  });

  it('refuse what needs a stricter route', () => {
    const refusal = refused(judge([edit({ amount: 2_000, to: 'DE1' })]));
    assert.deepEqual(
      [refusal.code, refusal.detail],
      ['edit_not_allowed', 'The edited call needs the route dual_approval.'],
    );
  });

  it('refuse what needs another policy pack', () => {
    const calls = [{ id: 'call-1', tool: 'wire', arguments: { amount: 900, to: 'XX1' } }];
    const packedWire = { route: 'policy_pack', calls } as const;
    granted(judge([edit({ amount: 800, to: 'XX1' })], packedWire));
    granted(judge([LESS], packedWire));
    const refusal = refused(judge([edit({ amount: 900, to: 'XX2' })], packedWire));
    assert.deepEqual(
      [refusal.code, refusal.detail],
      ['edit_not_allowed', 'The edited call needs the policy pack legal.'],
    );
  });

  it('judge by the agent that proposed, and not arguments that stay', () => {
    const refusal = refused(judge([LESS], { agent: 'other', route: 'auto' }));
    assert.equal(refusal.detail, 'The edited call needs the route human_required.');
    const calls = [{ id: 'call-1', tool: 'wire', arguments: { amount: 20_000 } }];
    assert.deepEqual(granted(judge([edit({ amount: 20_000 })], { calls })), {
      risk_class: 'medium',
    });
    granted(judge([edit({ amount: 20_000 }, 'call-9')]));
  });
});

describe('an approval with edits', () => {
  const ALLOWED = { risk_class: 'high' } as const;
  const take = (answer: Partial<EditingAnswer>, part: ApprovalPart = partWith()) =>
    editedPart(part, { value: 'approved', edits_allowed: ALLOWED, ...answer });

  function invalid(answer: Partial<EditingAnswer>, part?: ApprovalPart) {
    const { code, field } = refused(take(answer, part));
    assert.equal(code, 'invalid_edit');
    return field;
  }

  it('approves a new version under a new hash', () => {
    const part = partWith({}, { stage: 1, reason: 'large', input_schemas: { wire: {} } });
    const edited = granted(take({ edits: [LESS] }, part));
    const calls = [{ id: 'call-1', tool: 'wire', arguments: LESS.arguments }];
    const proposal = { ...part.proposal, version: 2, risk_class: 'high', calls } as const;
    assert.deepEqual(edited, { ...part, proposal, proposal_hash: hashOf(proposal) });
    assert.notEqual(edited.proposal_hash, part.proposal_hash);
  });

  it('that changes nothing approves what was proposed', () => {
    const part = partWith();
    for (const edits of [undefined, [], [SAME]]) {
      const answer = { value: 'approved', ...(edits && { edits }) };
      assert.equal(granted(editedPart(part, answer)), part);
    }
  });

  it('counts only once the rules have allowed it', () => {
    const refusal = refused(editedPart(partWith(), { value: 'approved', edits: [LESS] }));
    assert.deepEqual([refusal.code, refusal.field], ['edit_not_allowed', 'edits[0].arguments']);
  });

  it('is no rejection, and needs calls', () => {
    assert.equal(invalid({ value: 'rejected', edits: [LESS] }), 'edits');
    assert.equal(invalid({ edits: [LESS] }, partWith({ kind: 'consent' })), 'edits');
    assert.equal(granted(take({ value: 'rejected', edits: [] })).proposal.version, 1);
  });

  it('names calls of the proposal, each once', () => {
    assert.equal(invalid({ edits: [LESS, edit({}, 'call-9')] }), 'edits[1].call_id');
    assert.equal(invalid({ edits: [LESS, SAME] }), 'edits[1].call_id');
  });

  it('fits the schema of the tool, at the path that it names', () => {
    const wire = { properties: { amount: { type: 'number', maximum: 500 } } };
    const part = partWith({}, { input_schemas: { wire, other: false as never } });
    granted(take({ edits: [LESS] }, part));
    const refusal = refused(take({ edits: [edit({ amount: 501 })] }, part));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['invalid_edit', 'edits[0].arguments.amount', 'what the schema of wire describes'],
    );
    const calls = [{ id: 'call-1', tool: 'toString', arguments: {} }];
    granted(take({ edits: [LESS] }, partWith({ calls }, { input_schemas: {} })));
  });

  it('is not taken where the schema of the tool cannot judge it', () => {
    const wire = { properties: { amount: { pattern: '(' } } };
    const part = partWith({}, { input_schemas: { wire } });
    assert.equal(invalid({ edits: [LESS] }, part), 'edits[0].call_id');
  });

  it('makes only so many versions, of the size of a proposal', () => {
    const last = partWith({ version: LIMITS.proposalVersions - 1 });
    const edited = granted(take({ edits: [LESS] }, last));
    assert.equal(edited.proposal.version, LIMITS.proposalVersions);
    assert.equal(invalid({ edits: [SAME] }, edited), 'edits');
    const large = edit({ note: 'x'.repeat(LIMITS.proposalBytes) });
    assert.equal(invalid({ edits: [large] }), 'edits');
  });
});

describe('edited arguments from a Signal', () => {
  for (const text of ['{"a":1e999}', '{"a":["\\ud800"]}', '{"\\u0000":1}', '{"__proto__":1}']) {
    it(`are refused where they could not be hashed or stored: ${text}`, () => {
      const edits = [edit(JSON.parse(text) as EditedCall['arguments'])];
      const answer = { value: 'approved', edits, edits_allowed: { risk_class: 'low' } } as const;
      const refusal = refused(editedPart(partWith(), answer));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_edit', 'edits[0].arguments']);
    });
  }

  it('are refused where they are nested too deep to be compared', () => {
    const { argumentsDepth } = LIMITS;
    const nested = (depth: number) =>
      edit(JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as EditedCall['arguments']);
    const answer = { value: 'approved', edits_allowed: { risk_class: 'low' } } as const;
    granted(editedPart(partWith(), { ...answer, edits: [nested(argumentsDepth)] }));
    for (const depth of [argumentsDepth + 1, 50_000]) {
      const refusal = refused(editedPart(partWith(), { ...answer, edits: [nested(depth)] }));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_edit', 'edits[0].arguments']);
    }
  });
});

const call = (id: string, args: Record<string, string | number>) => ({
  id,
  tool: 'wire',
  arguments: args,
});
const VOTE: Vote = {
  principal: 'ana',
  actor: 'ana',
  value: 'approved',
  question_version: 1,
  counted_at: '2026-11-25T10:00:00.000Z',
};

describe('what the timeline keeps of an edit', () => {
  const before = partWith({
    calls: [call('c1', { amount: 5_000, to: 'DE1' }), call('c2', { amount: 7, memo: 'x' })],
  });

  it('is which calls were edited, and what was there before', () => {
    const after = partWith({
      calls: [call('c1', { amount: 5_000, to: 'DE1' }), call('c2', { amount: 3, cc: 'bo' })],
    });
    assert.deepEqual(editTrace(before, after, []), {
      edits: [
        {
          call_id: 'c2',
          tool: 'wire',
          before: { amount: 7, memo: 'x' },
          after: { amount: 3, cc: 'bo' },
        },
      ],
    });
  });

  it('are the notes with the votes that no longer count', () => {
    const votes = [
      { ...VOTE, comment: 'Much.\nToo much.' },
      { ...VOTE, actor: 'bo' },
    ];
    assert.deepEqual(editTrace(before, before, votes), {
      edits: [],
      notes_before: [{ actor: 'ana', comment: 'Much.\nToo much.' }],
    });
  });

  it('names the call alone whose arguments are too large, and stays small', () => {
    const large = partWith({
      calls: [
        call('c1', { amount: 1, to: 'x'.repeat(KEPT_EDIT_BYTES) }),
        call('c2', { amount: 2 }),
      ],
    });
    const { edits } = editTrace(before, large, []);
    assert.deepEqual(edits, [
      { call_id: 'c1', tool: 'wire' },
      { call_id: 'c2', tool: 'wire', before: { amount: 7, memo: 'x' }, after: { amount: 2 } },
    ]);
    const many = (amount: number) =>
      partWith({
        calls: Array.from({ length: 100 }, (_, at) => call(`c${at}`.repeat(60), { amount })),
      });
    const votes = Array.from({ length: 12 }, () => ({ ...VOTE, comment: 'x'.repeat(900) }));
    const kept = editTrace(many(1), many(2), votes);
    assert.ok(jsonBytes(kept) <= KEPT_EDIT_BYTES + 60, `${jsonBytes(kept)}`);
    const { edits: named, notes_before: notes, left_out } = kept as Record<string, unknown[]>;
    assert.equal((named?.length ?? 0) + (notes?.length ?? 0) + Number(left_out), 112);
    assert.ok((notes?.length ?? 0) >= 9);
  });
});

const FIRST = proposalWith();
const SECOND = proposalWith({
  version: 2,
  calls: [{ id: 'call-1', tool: 'wire', arguments: { amount: 5 } }],
});
const versionOf = (proposal: Proposal) => ({ proposal, proposal_hash: hashOf(proposal) });
const asked = tierAsked(newApproval(FIRST), { suspension_id: 'q-2', stage: 1, tier: 1 });
const vote: Approver = { principal: 'ada', actor: 'ada', decision: 'approved', at: AT };
const OPEN = {
  ...asked,
  rounds: [
    { hash: hashOf(FIRST), outcomes: ['approved' as const], approvers: [vote] },
    { hash: hashOf(FIRST), outcomes: ['timeout' as const], approvers: [] },
  ],
};

describe('a version that people have edited while they decide', () => {
  it('is what the approval shows, and the tiers that are over stay so [A54-11]', () => {
    const state = versionEdited(OPEN, versionOf(SECOND));
    assert.deepEqual([state?.proposal, state?.proposal_hash], [SECOND, hashOf(SECOND)]);
    assert.equal(state?.proposed_hash, hashOf(FIRST));
    assert.deepEqual(state.rounds, [
      OPEN.rounds[0],
      { hash: hashOf(SECOND), outcomes: ['timeout'], approvers: [] },
    ]);
  });

  for (const [what, state, version] of [
    ['is no later one', OPEN, versionOf(FIRST)],
    [
      'has another hash than its own',
      OPEN,
      { ...versionOf(SECOND), proposal_hash: 'f'.repeat(64) },
    ],
    ['is of another approval', OPEN, versionOf({ ...SECOND, approval_id: 'other' })],
    ['comes when nobody is asked', newApproval(FIRST), versionOf(SECOND)],
  ] as const) {
    it(`changes nothing where it ${what}`, () => {
      assert.equal(versionEdited(state, version), undefined);
    });
  }

  it('is told to the approval with the votes, and only then', () => {
    const part = { ...versionOf(FIRST), stage: 0, tier: 0 };
    const edited = { ...versionOf(SECOND), stage: 0, tier: 0 };
    assert.equal(votesCast(part, [vote], false).proposal, undefined);
    assert.deepEqual(votesCast(edited, [vote], true), {
      version: 2,
      proposal_hash: hashOf(SECOND),
      votes: [vote],
      proposal: SECOND,
    });
    assert.equal(isVotesCast({ ...votesCast(edited, [vote], true) }), true);
    assert.equal(isVotesCast({ ...votesCast(edited, [vote], true), proposal: 'none' }), false);
  });

  it('is the one that a stored copy is read with [A54-11]', () => {
    const view = approvalWith(FIRST);
    const shown = latestOf(view, versionOf(SECOND));
    assert.deepEqual([shown.proposal, shown.proposal_hash], [SECOND, hashOf(SECOND)]);
    assert.equal(latestOf(shown, versionOf(FIRST)), shown);
    assert.equal(latestOf(view, undefined), view);
  });
});
