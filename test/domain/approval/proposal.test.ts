import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, it } from 'mocha';
import {
  proposalHashSchema,
  proposalSchema,
  type Proposal,
} from '../../../contracts/approval/approval.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import {
  changesArguments,
  checkHash,
  checkProposal,
  editedProposal,
  hashOf,
} from '../../../domain/approval/proposal/proposal.js';
import { refused } from '../samples.js';
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
