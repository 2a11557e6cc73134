import assert from 'node:assert/strict';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { INTENT_STATUSES } from '../../../contracts/constants/statuses.js';
import {
  createCoordinatorRequestSchema,
  type Coordinator,
} from '../../../contracts/coordinator/coordinator.js';
import {
  checkDecision,
  decisionOf,
  describeCoordinator,
  escalationQuestion,
  holdChange,
  newCoordinator,
} from '../../../domain/coordinator/coordinator.js';
import { granted, ID, INTENT_ID, OPENED_AT, refused } from '../samples.js';
import { caller } from '../../support/callers.js';

const PORTFOLIO_ID = '5d1f8f0e-58a1-4a0e-9f5f-0b8c9c3c7e11';
const OTHER_INTENT = '11111111-1111-4111-8111-111111111111';
const IDENTITY = { id: ID, agent_id: 'agent_1', holder: 'key-of-agent-1', granted_at: OPENED_AT };

function coordinator(fields: Partial<Coordinator> = {}): Coordinator {
  const request = createCoordinatorRequestSchema.parse({ intent_id: INTENT_ID });
  return { ...granted(newCoordinator(request, IDENTITY, LIMITS)), ...fields };
}

const OF_PORTFOLIO = { scope: 'portfolio', intent_id: null, portfolio_id: PORTFOLIO_ID } as const;

describe('a decision of a coordinator', () => {
  const check = (fields: Partial<Coordinator>, agent: string, intentId: string, isMember = false) =>
    checkDecision(coordinator(fields), caller(agent), intentId, isMember);

  it('may concern its own intent or a member of its portfolio', () => {
    assert.equal(granted(check({}, 'key-of-agent-1', INTENT_ID)), true);
    assert.equal(granted(check(OF_PORTFOLIO, 'key-of-agent-1', OTHER_INTENT, true)), true);
  });

  it('is refused for an intent outside the scope', () => {
    const refusal = refused(check({}, 'key-of-agent-1', OTHER_INTENT));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['outside_scope', 'intent_id', INTENT_ID],
    );
    assert.equal(
      refused(check(OF_PORTFOLIO, 'key-of-agent-1', OTHER_INTENT)).code,
      'outside_scope',
    );
  });

  it('is refused to who does not hold the lease, also under the name of the agent', () => {
    for (const other of ['agent_2', 'agent_1']) {
      assert.equal(refused(check({}, other, INTENT_ID)).code, 'lease_not_found', other);
    }
  });

  for (const [status, code] of [
    ['active', undefined],
    ['unresponsive', undefined],
    ['failed_over', 'coordinator_closed'],
    ['completed', 'coordinator_closed'],
  ] as const) {
    it(`is ${code === undefined ? 'accepted' : 'refused'} while the coordinator is ${status}`, () => {
      const ruling = check({ status }, 'key-of-agent-1', INTENT_ID);
      assert.equal(ruling.ok ? undefined : ruling.refusal.code, code);
    });
  }

  it('is read from its event, with the id and the instant of that event', () => {
    const payload = { decision_type: 'task_assigned', rationale: 'The agent is free.' };
    const event = {
      id: OTHER_INTENT,
      intent_id: INTENT_ID,
      sequence: 3,
      event_type: 'coordinator.decision',
      actor: 'agent_1',
      principal: 'agent-1',
      payload: { ...payload, id: 'forged', timestamp: 'forged' },
      created_at: OPENED_AT,
      payload_commitment: 'sha256:y',
      previous_event_hash: null,
      event_hash: 'sha256:x',
    };
    const expected = { ...payload, id: OTHER_INTENT, timestamp: OPENED_AT };
    assert.deepEqual<object>(decisionOf(event), expected);
  });
});

describe('the hold of a coordinator on the phases wired to an intent', () => {
  it('begins when the intent suspends, and only under block_dependents [R26-33]', () => {
    for (const status of INTENT_STATUSES) {
      const waits = status === 'suspended_awaiting_input';
      const expected = waits ? 'hold' : undefined;
      assert.equal(holdChange('block_dependents', { status }, false), expected, status);
      assert.equal(holdChange('isolate', { status }, false), undefined, status);
      assert.equal(holdChange('escalate', { status }, false), undefined, status);
    }
  });

  it('lasts until the intent is closed, also while it is active in between [R26-33]', () => {
    for (const status of INTENT_STATUSES) {
      const isClosed = status === 'completed' || status === 'abandoned';
      const expected = isClosed ? 'forget' : undefined;
      assert.equal(holdChange('block_dependents', { status }, true), expected, status);
    }
  });
});

describe('the question that a coordinator asks for an intent that waits', () => {
  const suspension = {
    suspension_id: ID,
    suspended_at: OPENED_AT,
    expires_at: OPENED_AT,
    attempt: 1,
    resolution: null,
    settled_at: null,
  };
  const announcement = {
    intent_id: INTENT_ID,
    version: 3,
    last_sequence: 2,
    held: true,
    holds: 1,
    status: 'suspended_awaiting_input',
    suspension,
  } as const;

  it('names intent, coordinator and supervisor but not the secret id, and never expires', () => {
    const { question, ...draft } = escalationQuestion(
      { id: 'c', supervisor_id: 'boss' },
      announcement,
    );
    assert.ok(question.includes(INTENT_ID), question);
    assert.deepEqual(draft, {
      response_type: 'text',
      context: {
        coordinator_id: 'c',
        supervisor_id: 'boss',
        intent_id: INTENT_ID,
        expires_at: OPENED_AT,
      },
      fallback_policy: 'fail',
    });
  });

  it('names no instant if the escalated question never expires or is gone', () => {
    for (const gone of [null, { ...suspension, expires_at: null }]) {
      const { context } = escalationQuestion(coordinator(), { ...announcement, suspension: gone });
      assert.equal(context?.['expires_at'], null);
    }
  });
});

describe('the details of a coordinator', () => {
  it('show agent, status, scope, policy, heartbeat and end', () => {
    assert.deepEqual(describeCoordinator(coordinator()).split('\n'), [
      '**Coordinator agent\\_1**',
      '',
      `- Status: \`active\`, for intent ${INTENT_ID}`,
      '- On suspension: `isolate`',
      `- Heartbeat every 60 s, last ${OPENED_AT}`,
      '- Lease ends: never',
    ]);
  });

  it('show a portfolio as the scope, and when the lease ends', () => {
    const text = describeCoordinator(coordinator({ ...OF_PORTFOLIO, expires_at: OPENED_AT }));
    assert.match(text, new RegExp(`for portfolio ${PORTFOLIO_ID}$`, 'm'));
    assert.match(text, new RegExp(`^- Lease ends: ${OPENED_AT}$`, 'm'));
  });
});
