import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Membership, PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import { EVENT, INTENT_ID, SUSPENSION_ID } from './records.js';

export const PORTFOLIO_ID = '4e1d2c3b-5a69-4788-9c0d-1e2f3a4b5c6d';
const AT = '2026-11-20T10:00:00.000Z';

export const PORTFOLIO: PortfolioView = {
  id: PORTFOLIO_ID,
  name: 'Launch',
  description: null,
  status: 'active',
  version: 1,
  governance_policy: {},
  metadata: {},
  created_by: 'refund-agent',
  owner: 'refund-agent',
  created_at: AT,
  updated_at: AT,
  aggregate_status: { status: 'in_progress', total: 0, by_status: {}, completion_percentage: 0 },
  has_suspended_members: false,
  suspended_member_count: 0,
};

export const MEMBERSHIP: Membership = {
  id: SUSPENSION_ID,
  portfolio_id: PORTFOLIO_ID,
  intent_id: INTENT_ID,
  role: 'member',
  priority: 0,
  added_at: AT,
};

export const PORTFOLIO_EVENT: IntentEvent = {
  ...EVENT,
  intent_id: PORTFOLIO_ID,
  event_type: 'portfolio.member_suspended',
  payload: { intent_id: INTENT_ID, suspension_id: SUSPENSION_ID, suspended_member_count: 1 },
};

export const COORDINATOR: Coordinator = {
  id: SUSPENSION_ID,
  intent_id: INTENT_ID,
  portfolio_id: null,
  agent_id: 'refund-agent',
  holder: 'refund-agent',
  role: 'coordinator',
  supervisor_id: null,
  coordinator_type: 'llm',
  scope: 'intent',
  status: 'active',
  guardrails: {},
  suspension_policy: 'isolate',
  version: 1,
  own_intent_id: null,
  heartbeat_interval_seconds: 60,
  last_heartbeat: AT,
  granted_at: AT,
  expires_at: null,
  metadata: {},
};
