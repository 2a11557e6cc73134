import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EditedCall } from '../../../../contracts/approval/approval.js';
import { partWith } from '../../../domain/approval/wires.js';
import { voteResult } from '../../../../domain/suspension/answering/answer.js';
import { votesOf } from '../../../../domain/suspension/answering/decision.js';
import {
  INTENT_ID,
  SETTLED,
  SUSPENSION_ID,
  hanging,
  intentOf,
  refusalFrom,
  settledView,
  viewOf,
  type FakeCall,
} from '../../support/fakes.js';
import { ALICE, accept, answerIn, bench, closed, refuse, type World } from './respond-bench.js';

const PART = partWith();
const LESS: EditedCall = { call_id: 'call-1', arguments: { amount: 100, to: 'DE1' } };
const DENIED: EditedCall = { call_id: 'call-1', arguments: { amount: 10_000, to: 'DE1' } };
const RULES = [
  {
    tool: 'wire',
    arguments: { amount: { at_least: 10_000 } },
    verdict: 'deny',
    risk_class: 'critical',
  },
  { tool: 'wire', verdict: 'escalate', risk_class: 'high' },
];
const ASKED = viewOf({ record: { ...viewOf().record, approval: PART } });
const NOT_ALLOWED = refuse({ code: 'edit_not_allowed', detail: 'not judged' });

/** Sends an answer with edits. */
function answering(world: World, fields: object = {}) {
  const made = bench({ approvals: { rules: RULES }, suspension: ASKED, ...world });
  const request = {
    suspension_id: SUSPENSION_ID,
    value: 'approved',
    proposal_hash: PART.proposal_hash,
    edits: [LESS],
    ...fields,
  };
  const respond = (key?: string) => made.answered(ALICE, undefined, request, key);
  const sent = () => {
    const answer = answerIn(made.calls.find(({ name }) => name === 'respond'));
    const { proposal_hash, edits, edits_allowed } = answer;
    return { proposal_hash, edits, edits_allowed };
  };
  return { ...made, respond, sent };
}

describe('an answer with edits', () => {
  it('goes to the workflow with what the rules say of them', async () => {
    const { respond, sent } = answering({});
    await respond();
    assert.deepEqual(sent(), {
      proposal_hash: PART.proposal_hash,
      edits: [LESS],
      edits_allowed: { risk_class: 'high' },
    });
  });

  it('has lists of approvals wait for the version that it has made [A54-11]', async () => {
    const counted = (call: FakeCall) => ({ ...accept(call), verdict: 'counted' });
    const { respond, touched } = answering({ update: counted });
    await respond();
    assert.ok(touched.includes(`${PART.proposal.approval_id} {"version":1}`), touched.join());
  });

  it('is told why the rules refuse it, once all else is in order', async () => {
    const { respond, sent } = answering({ update: NOT_ALLOWED }, { edits: [DENIED] });
    const { code, field, detail } = await refusalFrom(respond());
    assert.deepEqual(
      [code, field, detail],
      ['edit_not_allowed', 'edits[0].arguments', 'The rules deny the edited call.'],
    );
    assert.equal(sent().edits_allowed, undefined);
  });

  it('is told first of what else is wrong', async () => {
    const update = refuse({ code: 'not_eligible', detail: 'excluded' });
    const { respond } = answering({ update }, { edits: [DENIED] });
    assert.equal((await refusalFrom(respond())).code, 'not_eligible');
  });

  it('is not judged for a proposal that is no longer asked about', async () => {
    const update = refuse({ code: 'proposal_hash_mismatch', detail: 'another' });
    const { respond, sent } = answering({ update }, { proposal_hash: '0'.repeat(64) });
    assert.equal((await refusalFrom(respond())).code, 'proposal_hash_mismatch');
    assert.equal(sent().edits_allowed, undefined);
  });

  it('has to come again where only the store knows an older version', async () => {
    const { calls, clock, respond } = answering(
      { update: hanging, query: hanging },
      { proposal_hash: '0'.repeat(64) },
    );
    const answered = refusalFrom(respond());
    await clock.advance(10_000);
    assert.equal((await answered).code, 'workflow_unavailable');
    assert.deepEqual(
      calls.filter(({ name }) => name === 'respond'),
      [],
    );
  });

  it('to a question that is not there is diagnosed as any other', async () => {
    const world = { update: closed, intent: intentOf({ status: 'active' }) };
    const { answered } = bench(world);
    const request = { suspension_id: SUSPENSION_ID, value: 'approved', edits: [LESS] };
    const refusal = await refusalFrom(answered(ALICE, INTENT_ID, request));
    assert.equal(refusal.code, 'intent_not_suspended');
  });

  it('is another body than the same without them, or for another hash', async () => {
    const hashes = new Set<string>();
    for (const fields of [
      {},
      { edits: undefined },
      { edits: [DENIED] },
      { proposal_hash: undefined },
    ]) {
      const { respond, calls } = answering({}, fields);
      await respond('key-1');
      hashes.add(answerIn(calls.find(({ name }) => name === 'respond')).answer.body_hash);
    }
    assert.equal(hashes.size, 4);
  });

  it('gets its reply again once the question is closed, with how many agree', async () => {
    const record = { ...SETTLED, approval: PART };
    const suspension = settledView({ intent_id: null, record });
    let body_hash = '';
    const first = answering({
      update: (call) => {
        ({ body_hash } = answerIn(call).answer);
        return accept(call);
      },
    });
    await first.respond('key-1');
    const { respond } = answering({
      update: closed,
      suspension,
      stored: (key) => ({ key, body_hash, intent_id: null, record }),
    });
    const [vote] = votesOf(record);
    assert.ok(vote);
    const result = voteResult(null, record, [], vote);
    assert.deepEqual([result.approvals, result.required], [1, 1]);
    assert.deepEqual(await respond('key-1'), { accepted: true, result });
  });
});
