import assert from 'node:assert/strict';
import { breachAlert } from '../../../domain/approval/deciding/votes.js';
import { breachEvent } from '../../../domain/approval/record/events.js';
import { isRunEvent } from '../../../contracts/subscription/feed.js';
import { newApproval, tierAsked } from '../../../domain/approval/record/state.js';
import { AT, proposalWith } from './samples.js';
import { anEvent } from '../../store/rows.js';

const BREACH = { stage: 1, sla_seconds: 600, due_at: AT };
const WAITING = newApproval(proposalWith());
const ASKED = tierAsked(WAITING, { suspension_id: 'question-1', stage: 1, tier: 0 });

describe('the alert of a stage that takes too long', () => {
  it('tells of the open question over its channel, and asks nothing [A54-29]', () => {
    const alert = breachAlert(ASKED, BREACH, { intent_id: 'intent-1', channel_hint: 'pager' });
    assert.deepEqual(alert, {
      delivery_id: 'question-1:sla:1',
      suspension_id: 'question-1',
      intent_id: 'intent-1',
      attempt: 1,
      max_attempts: 1,
      due_at: AT,
      channel_hint: 'pager',
      notify_to: null,
      question: 'Wire 500?',
      response_type: 'choice',
      next_attempt_at: null,
      alert: {
        kind: 'sla_breached',
        approval_id: WAITING.proposal.approval_id,
        run_id: 'run-7',
        stage: 1,
        sla_seconds: 600,
      },
    });
  });

  it('goes to the default channel where the question names none', () => {
    assert.equal(breachAlert(ASKED, BREACH, { intent_id: null })?.channel_hint, null);
  });

  it('is none where no question is open any more', () => {
    assert.equal(breachAlert(WAITING, BREACH, { intent_id: null }), undefined);
  });

  it('is in the log whether or not a question is open', () => {
    const { key, draft } = breachEvent(WAITING, BREACH);
    assert.equal(key, `approval:${WAITING.proposal.approval_id}:sla:${AT}:1`);
    assert.deepEqual(draft, {
      event_type: 'approval_sla_breached',
      actor: 'holdpoint',
      payload: {
        approval_id: WAITING.proposal.approval_id,
        run_id: 'run-7',
        ...BREACH,
        proposal_hash: WAITING.proposal_hash,
      },
    });
  });
});

describe('an event of the feed', () => {
  it('is of a run, or of an intent', () => {
    const event = anEvent({});
    const { intent_id: _of, ...rest } = event;
    assert.equal(isRunEvent(event), false);
    assert.equal(isRunEvent({ ...rest, principal: 'holdpoint', run_id: 'run-7' }), true);
  });
});
