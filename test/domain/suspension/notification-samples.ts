import type { NotificationRequest } from '../../../contracts/channel/notification.js';

export const SUSPENSION_ID = '5f0c8a52-6d0e-4d0e-9c4a-2f6a3b1c7d90';
/** Any operator may decide, and nobody has. */
export const ANYONE = { eligible: {}, excluded: [], askers: ['agent'], done: [], needed: 1 };
export const INTENT_ID = '0b9f3a6e-1d5c-4c55-8a41-7e1d1c0f2a34';

/** A first attempt of three; `delivery_id` follows the attempt. */
export function requestWith(overrides: Partial<NotificationRequest> = {}): NotificationRequest {
  return {
    delivery_id: `${SUSPENSION_ID}:${overrides.attempt ?? 1}`,
    suspension_id: SUSPENSION_ID,
    intent_id: INTENT_ID,
    attempt: 1,
    max_attempts: 3,
    due_at: '2026-11-21T10:00:00.000Z',
    channel_hint: null,
    notify_to: null,
    question: 'Refund 120 EUR?',
    response_type: 'choice',
    choices: [
      { value: 'approve', label: 'Approve the refund' },
      { value: 'deny', label: 'Deny it', metadata: { ledger: 'internal-7' } },
    ],
    expires_at: '2026-11-21T13:00:00.000Z',
    next_attempt_at: '2026-11-21T11:00:00.000Z',
    ...overrides,
  };
}

/** An alert of an approval whose second stage takes too long. */
export function alertWith(overrides: Partial<NotificationRequest> = {}): NotificationRequest {
  const { choices: _choices, expires_at: _never, ...request } = requestWith();
  const alert = {
    kind: 'sla_breached',
    approval_id: '3f2e1d0c-9b8a-4765-8432-10fedcba9876',
    run_id: 'run-7',
    stage: 1,
    sla_seconds: 600,
  } as const;
  const once = { max_attempts: 1, next_attempt_at: null, intent_id: null };
  return { ...request, ...once, delivery_id: `${SUSPENSION_ID}:sla:1`, alert, ...overrides };
}
