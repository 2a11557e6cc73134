import assert from 'node:assert/strict';
import type { ProposalToShow } from '../../../contracts/channel/notification.js';
import { changeFor, type FollowedQuestion } from '../../../domain/suspension/telling/follow-up.js';
import { redact } from '../../../domain/suspension/telling/redaction.js';
import { partWith } from '../approval/wires.js';
import { SUSPENSION_ID, alertWith, requestWith } from './notification-samples.js';

const RULES = {
  context_keys: ['tool_call', 'visible_context'],
  personal_data_keys: ['iban'],
  e2e_encrypted: false,
};
const AT = '2026-11-21T10:00:00.000Z';
const proposal_hash = 'ab'.repeat(32);
const CALL = { id: 'c1', tool: 'wire', arguments: { amount: 5 } };
const whole = { calls: [CALL], visible_context: { why: 'due' } };

const sent = (approval: ProposalToShow, rules: Partial<typeof RULES> = {}) =>
  redact(requestWith({ approval }), { ...RULES, ...rules }).approval;

describe('a proposal in a message', () => {
  it('leaves whole where its calls and what is visible beside them may', () => {
    assert.deepEqual(sent({ proposal_hash, whole }), { proposal_hash, whole });
    const none = { ...whole, calls: [] };
    const visible = { context_keys: ['visible_context'] };
    assert.deepEqual(sent({ proposal_hash, whole: none }, visible), { proposal_hash, whole: none });
    const bare = { ...whole, visible_context: {} };
    const called = { context_keys: ['tool_call'] };
    assert.deepEqual(sent({ proposal_hash, whole: bare }, called), { proposal_hash, whole: bare });
  });

  it('leaves by its hash alone where a part of it may not, or would be masked', () => {
    const hashed = { proposal_hash };
    for (const context_keys of [[], ['tool_call'], ['visible_context']]) {
      assert.deepEqual(sent({ proposal_hash, whole }, { context_keys }), hashed);
    }
    const personal = { ...whole, calls: [{ ...CALL, arguments: { to: { IBAN: 'DE1' } } }] };
    assert.deepEqual(sent({ proposal_hash, whole: personal }), hashed);
    assert.deepEqual(
      sent({ proposal_hash, whole: { ...whole, visible_context: { iban: 1 } } }),
      hashed,
    );
    assert.deepEqual(sent(hashed), hashed);
    assert.equal('approval' in redact(requestWith(), RULES), false);
  });

  it('is told with the outcome, and not of a question that nobody answered', () => {
    const approval = partWith();
    const about = { delivery_id: 'd', suspension_id: SUSPENSION_ID, channel: 'chat' };
    const message = { ...about, reference: null, person: null, shows: 1 };
    const record: FollowedQuestion['record'] = {
      id: SUSPENSION_ID,
      question: 'Wire?',
      response_type: 'choice',
      choices: [{ value: 'approved', label: 'Approve' }],
      suspended_at: AT,
      fallback_policy: 'fail',
      settled_at: AT,
      resolution: 'responded',
      response: 'approved',
      responded_by: 'bo',
      approval,
    };
    const asked = { intent_id: null, asked_by: 'agent' };
    const question = { ...asked, settled: true, question_version: 1, attempt: 1 };
    const followed = { ...question, max_attempts: 1, next_attempt_at: null, edits: [] };
    const toldOf = (changes: Partial<typeof record>) =>
      changeFor(message, { ...followed, record: { ...record, ...changes } }, RULES);
    const { calls, visible_context } = approval.proposal;
    assert.deepEqual(toldOf({}), {
      kind: 'settled',
      question: 'Wire?',
      at: AT,
      outcome: 'answered',
      by: 'bo',
      choice_label: 'Approve',
      approval: { proposal_hash: approval.proposal_hash, whole: { calls, visible_context } },
    });
    const expired = { kind: 'settled', question: 'Wire?', at: AT, outcome: 'expired' };
    assert.deepEqual(toldOf({ resolution: 'expired' }), expired);
    const withdrawn = { ...expired, outcome: 'withdrawn' };
    assert.deepEqual(toldOf({ resolution: 'cancelled' }), withdrawn);
    assert.equal(toldOf({ erased_at: AT }), undefined);
  });

  it('is asked for in words that say why they come', () => {
    assert.match(redact(alertWith(), RULES).text, /^SLA breached: stage 2/);
    const passed = redact(requestWith({ delegated_by: 'ana' }), RULES);
    assert.equal(passed.text, 'Delegated to you by ana: Refund 120 EUR?');
    const toGroup = redact(requestWith({ delegated_by: 'ana', to_group: 'finance' }), RULES);
    assert.equal(toGroup.text, 'Delegated to your group finance by ana: Refund 120 EUR?');
  });
});
