import type { EngagementDecision } from '../../contracts/engagement.js';
import type { IntentEvent, VerifyReport } from '../../contracts/event.js';
import type { Intent, Lease } from '../../contracts/intent.js';
import type { SuspendBody } from '../../contracts/suspension-requests.js';
import type { InboxEntry, RespondResult, SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import { streamedExample, subscriptionExamples } from './feed-examples.js';
import { GRAPH_EXAMPLE } from './graph-example.js';
import { PLAN_IDS } from './plan-examples.js';
import { PORTFOLIO_EXAMPLES } from './portfolio-examples.js';

/*
 * One story for the whole document: an agent asks whether an order may be refunded, Alice answers.
 */
const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';
const SUSPENSION_ID = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
const OPENED = '2026-11-20T10:00:00.000Z';
const ANSWERED = '2026-11-20T10:04:30.000Z';
const EXPIRES = '2026-11-20T11:00:00.000Z';

/** Ids as they stand in paths, by name. */
export const EXAMPLE_IDS = {
  intentId: INTENT_ID,
  ...PLAN_IDS,
  suspensionId: SUSPENSION_ID,
  leaseId: '2c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f',
  subscriptionId: '7e6d5c4b-3a29-4180-9f7e-6d5c4b3a2918',
  agentId: 'refund-agent',
  coordinatorId: PORTFOLIO_EXAMPLES.coordinator.id,
  portfolioId: PORTFOLIO_EXAMPLES.portfolio.id,
  dependencyId: '4e1d2c3b-7a6f-4b5e-8d9c-0f1e2d3c4b5a',
} as const;

const CHOICES: NonNullable<SuspensionRecord['choices']> = [
  { value: 'approve', label: 'Approve refund', description: 'Issue the full refund' },
  { value: 'deny', label: 'Deny refund' },
];

const QUESTION: SuspendBody = {
  question: 'Refund order #12345?',
  response_type: 'choice',
  choices: CHOICES,
  context: { order: '12345', amount: 129.5 },
  timeout_seconds: 3_600,
  fallback_policy: 'fail',
  request_key: 'refund-12345',
};

const RECORD: SuspensionRecord = {
  id: SUSPENSION_ID,
  question: 'Refund order #12345?',
  response_type: 'choice',
  choices: CHOICES,
  context: { order: '12345', amount: 129.5 },
  suspended_at: OPENED,
  timeout_seconds: 3_600,
  expires_at: EXPIRES,
  fallback_policy: 'fail',
};

const ENTRY: InboxEntry = {
  id: SUSPENSION_ID,
  intent_id: INTENT_ID,
  state: 'pending',
  asked_by: 'refund-agent',
  attempt: 1,
  max_attempts: 1,
  next_attempt_at: null,
  record: RECORD,
};

const VIEW: SuspensionView = {
  ...ENTRY,
  schedule: {
    attempts: [
      {
        attempt: 1,
        at: OPENED,
        next_attempt_at: null,
        channel_hint: null,
        notify_to: null,
        ladder: [],
      },
    ],
    expires_at: EXPIRES,
  },
  timeline: [{ sequence: 1, at: OPENED, kind: 'opened', detail: {} }],
};

const INTENT: Intent = {
  id: INTENT_ID,
  title: 'Refund of order #12345',
  description: null,
  status: 'active',
  version: 3,
  state: { order: '12345' },
  constraints: {},
  parent_intent_id: null,
  depends_on: [],
  created_by: 'refund-agent',
  created_at: OPENED,
  updated_at: OPENED,
};

const LEASE: Lease = {
  id: EXAMPLE_IDS.leaseId,
  intent_id: INTENT_ID,
  agent_id: 'refund-agent',
  scope: 'refunds',
  status: 'active',
  duration_seconds: 60,
  acquired_at: OPENED,
  expires_at: '2026-11-20T10:01:00.000Z',
  released_at: null,
};

const EVENT: IntentEvent = {
  id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
  intent_id: INTENT_ID,
  sequence: 4,
  event_type: 'refund.prepared',
  actor: 'refund-agent',
  payload: { order: '12345' },
  created_at: OPENED,
  previous_event_hash: 'sha256:9Zz0Vf3mJYpQ1c8dN2xKbT5uWq7hRk4sLa6eGoUiMjA',
  event_hash: 'sha256:Kp4wXn8sBv1tHc6yEj3zQm9dLf2gRu5aOi7kWxYrTqE',
};

const VERIFIED: VerifyReport = {
  intent_id: INTENT_ID,
  event_count: 4,
  first_sequence: 1,
  last_sequence: 4,
  head_hash: EVENT.event_hash,
  chain_valid: true,
  breaks: [],
  head_from: 'workflow',
};

const CANCELLED: SettledRecord = {
  ...RECORD,
  resolution: 'cancelled',
  settled_by: 'agent',
  settled_at: ANSWERED,
  reason: 'The customer withdrew.',
};

const RESULT: RespondResult = {
  intent_id: INTENT_ID,
  suspension_id: SUSPENSION_ID,
  resolution: 'responded',
  value: 'approve',
  choice_label: 'Approve refund',
  choice_description: 'Issue the full refund',
  responded_by: 'alice',
  responded_at: ANSWERED,
};

const DECISION: EngagementDecision = {
  mode: 'require_input',
  should_ask: true,
  may_act: false,
  rationale: 'The risk is high.',
  signals: { confidence: 0.55, risk: 0.6, reversibility: 0.8, context: {} },
};

const EXPORTED = [
  EVENT,
  {
    end_of_log: {
      intent_id: INTENT_ID,
      last_sequence: EVENT.sequence,
      head_hash: EVENT.event_hash,
      head_from: 'workflow',
    },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/** What requests and replies look like in the document; a test holds each against its schema. */
export const EXAMPLES = {
  question: QUESTION,
  view: VIEW,
  entry: ENTRY,
  result: RESULT,
  cancelled: CANCELLED,
  intent: INTENT,
  lease: LEASE,
  event: EVENT,
  decision: DECISION,
  ...PORTFOLIO_EXAMPLES,
  verified: VERIFIED,
  exported: EXPORTED,
  streamed: streamedExample(EVENT),
  graph: GRAPH_EXAMPLE,
  ...subscriptionExamples(EXAMPLE_IDS, OPENED),
  suspensionId: SUSPENSION_ID,
  intentId: INTENT_ID,
} as const;
