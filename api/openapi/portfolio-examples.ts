import type { Coordinator, CoordinatorDecision } from '../../contracts/coordinator.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Membership, PortfolioView } from '../../contracts/portfolio.js';

/*
 * The refund's intent belongs to a portfolio of refunds, and waits.
 */
const PORTFOLIO_ID = '4e1d2c3b-5a69-4788-9c0d-1e2f3a4b5c6d';
const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';
const AT = '2026-11-20T09:00:00.000Z';

const portfolio: PortfolioView = {
  id: PORTFOLIO_ID,
  name: 'Refunds of November',
  description: null,
  status: 'active',
  version: 2,
  governance_policy: { deadline: '2126-11-30T00:00:00.000Z' },
  metadata: {},
  created_by: 'refund-agent',
  created_at: AT,
  updated_at: AT,
  aggregate_status: {
    status: 'in_progress',
    total: 1,
    by_status: { suspended_awaiting_input: 1 },
    completion_percentage: 0,
  },
  has_suspended_members: true,
  suspended_member_count: 1,
};

const membership: Membership = {
  id: '7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910',
  portfolio_id: PORTFOLIO_ID,
  intent_id: INTENT_ID,
  role: 'member',
  priority: 0,
  added_at: AT,
};

const portfolioEvent: IntentEvent = {
  id: '8c7b6a59-4837-4261-9504-f3e2d1c0b9a8',
  intent_id: PORTFOLIO_ID,
  sequence: 3,
  event_type: 'portfolio.member_suspended',
  actor: 'holdpoint',
  payload: {
    portfolio_id: PORTFOLIO_ID,
    intent_id: INTENT_ID,
    suspension_id: '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b',
    suspended_member_count: 1,
  },
  created_at: AT,
  previous_event_hash: 'sha256:9Zz0Vf3mJYpQ1c8dN2xKbT5uWq7hRk4sLa6eGoUiMjA',
  event_hash: 'sha256:Kp4wXn8sBv1tHc6yEj3zQm9dLf2gRu5aOi7kWxYrTqE',
};

const coordinator: Coordinator = {
  id: '5b4a3928-1706-4f5e-8d4c-3b2a19080706',
  intent_id: INTENT_ID,
  portfolio_id: null,
  agent_id: 'refund-agent',
  role: 'coordinator',
  supervisor_id: 'alice',
  coordinator_type: 'llm',
  scope: 'intent',
  status: 'active',
  guardrails: {},
  suspension_policy: 'escalate',
  own_intent_id: null,
  heartbeat_interval_seconds: 60,
  last_heartbeat: AT,
  granted_at: AT,
  expires_at: null,
  version: 1,
  metadata: {},
};

const coordinatorDecision: CoordinatorDecision = {
  id: '9d8c7b6a-5948-4372-8615-04f3e2d1c0ba',
  coordinator_id: coordinator.id,
  intent_id: INTENT_ID,
  decision_type: 'escalation_initiated',
  summary: 'Asked Alice about the refund',
  rationale: 'It is larger than what may be refunded without a person.',
  alternatives_considered: [{ description: 'deny it', rejected_reason: 'a good customer' }],
  confidence: 0.6,
  timestamp: AT,
};

/** What portfolios and coordinators look like in the document. */
export const PORTFOLIO_EXAMPLES = {
  portfolio,
  membership,
  portfolioEvent,
  coordinator,
  coordinatorDecision,
} as const;
