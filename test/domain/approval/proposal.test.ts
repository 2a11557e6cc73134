import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import {
  type Proposal,
  proposalHashSchema,
  proposalSchema,
} from '../../../contracts/approval/approval.js';
import type { StoredProposal } from '../../../contracts/approval/log.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import { tierDraft } from '../../../domain/approval/asking/question.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { checkSummary, summaryOf } from '../../../domain/approval/asking/summary.js';
import {
  changesArguments,
  checkHash,
  checkProposal,
  editedProposal,
  hashOf,
} from '../../../domain/approval/proposal/proposal.js';
import { isBehind, isStoredUnchanged } from '../../../domain/approval/proposal/stored-proposal.js';
import {
  newApproval,
  stepOf,
  tierAsked,
  tierSettled,
} from '../../../domain/approval/record/state.js';
import { granted, ID, refused, settledWith } from '../samples.js';
import { partWith, wireWith } from './wires.js';

const call = (fields: object) => [
  { id: 'call-1', tool: 'wire', arguments: { amount: 900, to: 'DE1' }, ...fields },
];

describe('the hash of a proposal', () => {
  it('is SHA-256 over its canonical JSON [A54-30, AM-59]', () => {
    const text = canonicalize(wireWith()) as string;
    const expected = createHash('sha256').update(text).digest('hex');
    assert.equal(hashOf(wireWith()), expected);
    assert.equal(proposalHashSchema.parse(expected), expected);
  });

  const changes: Readonly<Record<keyof Proposal, Partial<Proposal>>> = {
    approval_id: { approval_id: '0198f0a0-0000-7000-8000-00000000000b' },
    version: { version: 2 },
    kind: { kind: 'consent' },
    run_id: { run_id: 'run-2' },
    turn_index: { turn_index: 1 },
    agent: { agent: 'other' },
    on_behalf_of: { on_behalf_of: 'victor' },
    decider: { decider: 'victor' },
    decided_by: { decided_by: [{ groups: ['finance'] }] },
    calls: { calls: call({ arguments: { amount: 901, to: 'DE1' } }) },
    prompt: { prompt: 'Wire 9 to DE1?' },
    visible_context: { visible_context: {} },
    route: { route: 'human_required' },
    risk_class: { risk_class: 'low' },
  };
  for (const [field, change] of Object.entries(changes)) {
    it(`covers ${field} [AM-59]`, () => {
      assert.notEqual(hashOf(wireWith(change)), hashOf(wireWith()));
    });
  }
  for (const [what, calls] of [
    ['the id of a call', call({ id: 'call-2' })],
    ['the tool of a call', call({ tool: 'pay' })],
    ['a call more', [...call({}), ...call({ id: 'call-2' })]],
  ] as const) {
    it(`covers ${what} [AM-59]`, () => {
      assert.notEqual(hashOf(wireWith({ calls: [...calls] })), hashOf(wireWith()));
    });
  }

  it('covers every field that a proposal has [A54-30]', () => {
    assert.deepEqual(Object.keys(changes), Object.keys(proposalSchema.shape));
  });

  it('does not depend on the order of keys, nor on how it was carried', () => {
    const turned = Object.fromEntries(Object.entries(wireWith()).reverse()) as Proposal;
    assert.equal(hashOf(turned), hashOf(wireWith()));
    const { on_behalf_of: _nobody, ...own } = wireWith();
    assert.equal(hashOf({ ...own, on_behalf_of: undefined }), hashOf(own));
  });
});

describe('the size of a proposal', () => {
  const sized = (bytes: number) => {
    const empty = JSON.stringify(wireWith({ prompt: '' })).length;
    return checkProposal(wireWith({ prompt: 'a'.repeat(bytes - empty) }));
  };

  it('reaches its limit', () => assert.equal(sized(LIMITS.proposalBytes).ok, true));

  it('goes no further', () => {
    const { code, field } = refused(sized(LIMITS.proposalBytes + 1));
    assert.deepEqual([code, field], ['invalid_request', 'proposal']);
  });
});

describe('an edited proposal', () => {
  const edit = { call_id: 'call-1', arguments: { amount: 100, to: 'DE1' } };

  it('is the next version, with the new arguments and nothing else changed', () => {
    const calls = [...wireWith().calls, { id: 'call-2', tool: 'mail', arguments: {} }];
    const edited = editedProposal(wireWith({ calls }), [edit], 'low');
    const [first, ...others] = calls;
    const changed = [{ ...first, arguments: edit.arguments }, ...others];
    assert.deepEqual(edited, { ...wireWith(), version: 2, calls: changed });
  });

  it('has the higher of both risk classes', () => {
    const risk = (before: 'low' | 'high', now: 'medium') =>
      editedProposal(wireWith({ risk_class: before }), [edit], now).risk_class;
    assert.deepEqual([risk('low', 'medium'), risk('high', 'medium')], ['medium', 'high']);
  });

  it('is the same where no argument changes', () => {
    const same = { call_id: 'call-1', arguments: { to: 'DE1', amount: 900 } };
    const before = wireWith();
    assert.equal(editedProposal(before, [same], 'critical'), before);
    assert.equal(changesArguments(before, [same]), false);
    assert.equal(changesArguments(before, [same, edit]), true);
  });
});

describe('an answer to a proposal', () => {
  const part = partWith({ version: 3 });
  const state = { proposal_hash: part.proposal_hash, version: 3 };

  it('names its hash [A54-20]', () => {
    assert.equal(checkHash(part, part.proposal_hash).ok, true);
    const refusal = refused(checkHash(part, undefined));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['missing_proposal_hash', 'proposal_hash', part.proposal_hash],
    );
    assert.deepEqual(refusal.state, state);
  });

  it('is for no other version [A54-20]', () => {
    const refusal = refused(checkHash(part, partWith().proposal_hash));
    assert.equal(refusal.code, 'proposal_hash_mismatch');
    assert.deepEqual(refusal.state, state);
  });

  it('names none where there is no proposal', () => {
    assert.equal(checkHash(undefined, undefined).ok, true);
    const refusal = refused(checkHash(undefined, part.proposal_hash));
    assert.deepEqual([refusal.code, refusal.state], ['proposal_hash_mismatch', {}]);
  });
});

const Q1 = '11111111-1111-4111-8111-111111111111';

function raised(proposal: Proposal): Proposal {
  const calls = proposal.calls.map((call) => ({ ...call, arguments: { amount: 9_999 } }));
  return { ...proposal, calls };
}

/** An approval of which one question has ended, and the store as it should be. */
function decided() {
  const plan = planOf(
    { verdict: 'escalate', risk_class: 'medium', route: 'human_required' },
    approvalsConfigSchema.parse({}),
    { agent: 'bot' },
  );
  const proposal = wireWith();
  const part = partWith();
  const asked = tierAsked(newApproval(proposal), { suspension_id: Q1, stage: 0, tier: 0 });
  const record = { ...settledWith({ id: Q1 }), approval: part };
  const state = tierSettled(asked, plan ?? assert.fail(), record);
  const copy = { suspension_id: Q1, proposal, proposal_hash: hashOf(proposal), is_open: false };
  const stored: StoredProposal = { proposed: proposal, proposal, asked: [copy] };
  return { state, stored, copy, proposal };
}

describe('a proposal that is stored', () => {
  it('is unchanged as it was proposed, decided on and asked about', () => {
    const { state, stored } = decided();
    assert.deepEqual(
      state.decided_in.map(({ suspension_id }) => suspension_id),
      [Q1],
    );
    assert.equal(isStoredUnchanged(state, stored), true);
  });

  it('is changed if any version of the approval is', () => {
    const { state, stored, proposal } = decided();
    assert.equal(isStoredUnchanged(state, { ...stored, proposed: raised(proposal) }), false);
    assert.equal(isStoredUnchanged(state, { ...stored, proposal: raised(proposal) }), false);
    const live = { ...state, proposal: raised(proposal) };
    assert.equal(isStoredUnchanged(live, stored), false);
  });

  it('is changed if the copy in a question is, with its hash or without [A54-19] [A54-24]', () => {
    const { state, stored, copy, proposal } = decided();
    const other = raised(proposal);
    for (const changed of [
      { ...copy, proposal: other },
      { ...copy, proposal_hash: hashOf(other) },
      { ...copy, proposal: other, proposal_hash: hashOf(other) },
    ]) {
      assert.equal(isStoredUnchanged(state, { ...stored, asked: [changed] }), false);
    }
  });

  it('is unchanged if a question has no copy any more', () => {
    const { state, stored, copy, proposal } = decided();
    assert.equal(isStoredUnchanged(state, { ...stored, asked: [] }), true);
    const { asked: _asked, ...without } = stored;
    assert.equal(isStoredUnchanged(state, without), true);
    const foreign = { ...copy, suspension_id: 'another', proposal: raised(proposal) };
    assert.equal(isStoredUnchanged(state, { ...stored, asked: [foreign] }), true);
  });

  it('is behind while a question is stored as open, and in another version than was decided on', () => {
    const { state, stored, copy } = decided();
    const decidedIn = [{ suspension_id: Q1, proposal_hash: 'edited' }];
    const open = { ...stored, asked: [{ ...copy, is_open: true }] };
    assert.equal(isBehind(open, decidedIn), true);
    assert.equal(isBehind(open, state.decided_in), false);
    assert.equal(isBehind(stored, decidedIn), false);
    assert.equal(isBehind(open, [{ suspension_id: 'another', proposal_hash: 'edited' }]), false);
    assert.equal(isBehind({ ...stored, asked: [] }, decidedIn), false);
  });
});

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
