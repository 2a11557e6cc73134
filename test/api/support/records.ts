import { decisionOf } from '../../../domain/suspension/answering/decision.js';
import type { IntentEvent, VerifyReport } from '../../../contracts/intent/event.js';
import type { IntentGraph } from '../../../contracts/graph/graph.js';
import type { Intent, Lease } from '../../../contracts/intent/intent.js';
import type { RespondResult, SuspensionView } from '../../../contracts/suspension/view.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { aggregateOf } from '../../../domain/graph/aggregate.js';

export const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';
export const SUSPENSION_ID = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
export const LEASE_ID = '2c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f';
const AT = '2026-11-20T10:00:00.000Z';

export const INTENT: Intent = {
  id: INTENT_ID,
  title: 'Refund order 4711',
  description: null,
  status: 'active',
  version: 3,
  state: {},
  constraints: {},
  parent_intent_id: null,
  depends_on: [],
  created_by: 'refund-agent',
  owner: 'refund-agent',
  created_at: AT,
  updated_at: AT,
};

/** The same while it waits for the answer to the question. */
export const SUSPENDED: Intent = {
  ...INTENT,
  status: 'suspended_awaiting_input',
  state: { _suspension: { id: SUSPENSION_ID } },
};

export const GRAPH: IntentGraph = {
  root_id: INTENT_ID,
  nodes: [
    { id: INTENT_ID, title: INTENT.title, status: 'active', parent_id: null, depends_on: [] },
  ],
  edges: [],
  aggregate_status: aggregateOf([{ status: 'active', count: 1 }]),
  truncated: false,
};

export const EVENT: IntentEvent = {
  id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
  intent_id: INTENT_ID,
  sequence: 1,
  event_type: 'comment',
  actor: 'refund-agent',
  principal: 'refund-agent',
  payload: {},
  payload_commitment: `sha256:${'B'.repeat(43)}`,
  payload_salt: 'C'.repeat(43),
  created_at: AT,
  previous_event_hash: null,
  event_hash: `sha256:${'A'.repeat(43)}`,
};

export const REPORT: VerifyReport = {
  intent_id: INTENT_ID,
  event_count: 1,
  first_sequence: 1,
  last_sequence: 1,
  head_hash: EVENT.event_hash,
  chain_valid: true,
  breaks: [],
  erased_count: 0,
  erased: [],
  head_from: 'workflow',
};

export const LEASE: Lease = {
  id: LEASE_ID,
  intent_id: INTENT_ID,
  agent_id: 'refund-agent',
  holder: 'refund-agent',
  scope: 'refunds',
  status: 'active',
  duration_seconds: 60,
  acquired_at: AT,
  expires_at: '2026-11-20T10:01:00.000Z',
  released_at: null,
};

const RECORD = {
  id: SUSPENSION_ID,
  question: 'Approve?',
  response_type: 'confirm',
  suspended_at: AT,
  fallback_policy: 'fail',
} as const;

export const VIEW: SuspensionView = {
  id: SUSPENSION_ID,
  intent_id: INTENT_ID,
  state: 'pending',
  asked_by: 'refund-agent',
  attempt: 1,
  max_attempts: 1,
  next_attempt_at: null,
  record: RECORD,
  ...decisionOf(RECORD, 1),
  claim: null,
  comment_count: 0,
  comments: [],
  delegations: [],
  schedule: { attempts: [] },
  timeline: [],
};

export const CANCELLED: SettledRecord = {
  ...RECORD,
  resolution: 'cancelled',
  settled_by: 'agent',
  settled_at: AT,
};

export const ANSWERED: RespondResult = {
  intent_id: INTENT_ID,
  suspension_id: SUSPENSION_ID,
  resolution: 'responded',
  value: 'yes',
  choice_label: 'Yes',
  responded_by: 'alice',
  responded_at: AT,
};
