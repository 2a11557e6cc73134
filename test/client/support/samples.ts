import { decisionOf } from '../../../domain/suspension/answering/decision.js';
import type { EngagementDecision } from '../../../contracts/suspension/engagement.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { Scripted } from './fake-server.js';

export const INTENT_ID = '0b6b5d0e-6f0e-4a53-9d0c-3f5a8f0a1c11';
export const SUSPENSION_ID = '5f1e3c4a-91b2-4d7e-8a60-2b7c9d0e1f22';
export const ROUTES = {
  intent: `GET /v1/intents/${INTENT_ID}`,
  suspend: `POST /v1/intents/${INTENT_ID}/suspend`,
  respond: `POST /v1/intents/${INTENT_ID}/suspend/respond`,
  cancel: `POST /v1/intents/${INTENT_ID}/suspend/cancel`,
  engagement: `POST /v1/intents/${INTENT_ID}/engagement`,
  read: `GET /v1/suspensions/${SUSPENSION_ID}`,
  wait: `GET /v1/suspensions/${SUSPENSION_ID}/wait`,
} as const;

export const INTENT: Intent = {
  id: INTENT_ID,
  title: 'Refund',
  description: null,
  status: 'suspended_awaiting_input',
  version: 3,
  state: {},
  constraints: {},
  parent_intent_id: null,
  depends_on: [],
  created_by: 'refund-agent',
  created_at: '2026-03-24T09:00:00.000Z',
  updated_at: '2026-03-24T10:00:00.000Z',
};

export const DECISION: EngagementDecision = {
  mode: 'require_input',
  should_ask: true,
  may_act: false,
  rationale: 'The risk is above 0.5.',
  signals: { confidence: 0.55, risk: 0.6, reversibility: 0.8, context: {} },
};

const RECORD: SuspensionRecord = {
  id: SUSPENSION_ID,
  question: 'Should we refund order #12345?',
  response_type: 'choice',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
    { value: 'deny', label: 'Deny refund' },
  ],
  context: { order_id: '12345' },
  channel_hint: 'slack',
  suspended_at: '2026-03-24T10:00:00.000Z',
  fallback_policy: 'fail',
};

/** A pending view at an attempt of the ladder slack, e-mail, pager. */
export function pending(attempt = 1, record: Partial<SuspensionRecord> = {}): SuspensionView {
  return {
    id: SUSPENSION_ID,
    intent_id: INTENT_ID,
    state: 'pending',
    asked_by: 'refund-agent',
    attempt,
    max_attempts: 3,
    next_attempt_at: null,
    record: { ...RECORD, ...record },
    ...decisionOf({ ...RECORD, ...record }, attempt),
    claim: null,
    comment_count: 0,
    comments: [],
    delegations: [],
    schedule: {
      attempts: [
        step(1, 'slack', null),
        step(2, 'email', null),
        step(3, 'pagerduty', 'supervisor@example.com'),
      ],
    },
    timeline: [],
  };
}

/** The same, settled; by an operator's `approve` unless the record says otherwise. */
export function settled(record: Partial<SuspensionRecord> = {}, attempt = 1): SuspensionView {
  const answer: Partial<SuspensionRecord> = {
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: '2026-03-24T11:30:00.000Z',
    response: 'approve',
    responded_by: 'alice',
    responded_at: '2026-03-24T11:30:00.000Z',
  };
  return { ...pending(attempt, { ...answer, ...record }), state: 'settled' };
}

/** The same, expired without an answer. */
export function expired(record: Partial<SuspensionRecord> = {}): SuspensionView {
  const { response: _response, responded_by: _by, responded_at: _at, ...rest } = settled().record;
  const view = settled({}, 3);
  return { ...view, record: { ...rest, resolution: 'expired', settled_by: 'clock', ...record } };
}

/** A refusal in the form of the API. */
export function problem(status: number, code: string, more: object = {}): Scripted {
  const body = {
    type: `urn:holdpoint:error:${code}`,
    title: code,
    status,
    code,
    detail: `${code}!`,
  };
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: { ...body, ...more },
  };
}

function step(attempt: number, channel: string, notifyTo: string | null) {
  const at = '2026-03-24T10:00:00.000Z';
  return {
    attempt,
    at,
    next_attempt_at: null,
    channel_hint: channel,
    notify_to: notifyTo,
    ladder: [],
  };
}
