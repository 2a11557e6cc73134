import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Portfolio } from '../../contracts/portfolio/portfolio.js';
import type { Schedule } from '../../contracts/suspension/retry-policy.js';
import type { Settlement, SuspensionRecord } from '../../contracts/suspension/suspension.js';

/** An instant some seconds after a fixed one. */
export function instant(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000 + 7).toISOString();
}

export function anIntent(changes: Partial<Intent> = {}): Intent {
  return {
    id: randomUUID(),
    title: 'Refund order 4711',
    description: null,
    status: 'active',
    version: 1,
    state: { amount: 12.5, tags: [], note: null },
    constraints: {},
    parent_intent_id: null,
    depends_on: [],
    created_by: 'billing-agent',
    created_at: instant(0),
    updated_at: instant(0),
    ...changes,
  };
}

export function aPortfolio(changes: Partial<Portfolio> = {}): Portfolio {
  return {
    id: randomUUID(),
    name: 'Launch\0',
    description: null,
    status: 'active',
    version: 1,
    governance_policy: { deadline: instant(60), budget_limit_cents: 5 },
    metadata: { team: null },
    created_by: 'billing-agent',
    created_at: instant(0),
    updated_at: instant(0),
    ...changes,
  };
}

export function portfolioRow(portfolio: Portfolio, last_sequence = portfolio.version): JournalRow {
  return { kind: 'portfolio', portfolio, last_sequence, head_hash: null };
}

/** That an intent is a member of a portfolio, or no longer. */
export function memberRow(
  portfolio_id: string,
  intent_id: string,
  revision = 1,
  gone = false,
): JournalRow {
  const ids = { portfolio_id, intent_id };
  const membership = {
    id: randomUUID(),
    ...ids,
    role: 'member',
    priority: revision,
    added_at: instant(1),
  } as const;
  return { kind: 'portfolio_member', ...ids, revision, membership: gone ? null : membership };
}

/** What a log of these rows has for hashes: they hash nothing. */
const SEAL = {
  payload_commitment: `sha256:${'B'.repeat(43)}`,
  payload_salt: 'C'.repeat(43),
  previous_event_hash: null,
  event_hash: `sha256:${'A'.repeat(43)}`,
} as const;

export function anEvent(changes: Partial<IntentEvent> = {}): IntentEvent {
  return {
    id: randomUUID(),
    intent_id: randomUUID(),
    sequence: 1,
    event_type: 'intent.created',
    actor: 'billing-agent',
    principal: 'billing-agent',
    payload: { nested: { none: null, list: [1, 'two', false] } },
    created_at: instant(0),
    ...SEAL,
    ...changes,
  };
}

/** What makes a suspension no question to people. */
export const PAUSE = {
  reason: 'rate_limit',
  resume_signal: 'rate_limit_cleared',
  resumable_by: [],
  timeout_outcome: 'timeout',
  metadata: {},
} satisfies NonNullable<SuspensionRecord['pause']>;

export function aRecord(changes: Partial<SuspensionRecord> = {}): SuspensionRecord {
  return {
    id: randomUUID(),
    question: 'Approve the refund?',
    response_type: 'confirm',
    channel_hint: 'console',
    suspended_at: instant(0),
    timeout_seconds: 60,
    expires_at: instant(180),
    fallback_value: null,
    fallback_policy: 'complete_with_fallback',
    context: { order: '4711' },
    ...changes,
  };
}

const attempt = (number: number, at: number, next: number | null) => ({
  attempt: number,
  at: instant(at),
  next_attempt_at: next === null ? null : instant(next),
  channel_hint: null,
  notify_to: null,
  ladder: [],
});

export const SCHEDULE: Schedule = {
  attempts: [attempt(1, 0, 60), attempt(2, 60, 120), attempt(3, 120, null)],
  expires_at: instant(180),
};

export const SETTLEMENT: Settlement = {
  resolution: 'responded',
  settled_by: 'operator',
  settled_at: instant(75),
  response: null,
  responded_at: instant(75),
  responded_by: 'dana',
  metadata: { ticket: null },
};

export const ANSWER = { key: 'r:abc', body_hash: 'def' } as const;

export function openedRow(intentId: string, record: SuspensionRecord): JournalRow {
  return {
    kind: 'suspension_opened',
    intent_id: intentId,
    asked_by: 'billing-agent',
    record,
    schedule: SCHEDULE,
  };
}

export function progressRow(id: string, revision: number, number: number) {
  const next_attempt_at = SCHEDULE.attempts[number - 1]?.next_attempt_at ?? null;
  return {
    kind: 'suspension_progress' as const,
    suspension_id: id,
    revision,
    attempt: number,
    max_attempts: 3,
    next_attempt_at,
  } satisfies JournalRow;
}

export function settledRow(id: string, revision: number) {
  return {
    kind: 'suspension_settled' as const,
    suspension_id: id,
    revision,
    settlement: SETTLEMENT,
    answer: ANSWER,
  } satisfies JournalRow;
}

export function timelineRow(id: string, sequence: number): JournalRow {
  const detail = { attempt: sequence, reference: null };
  return {
    kind: 'timeline',
    suspension_id: id,
    entry: { sequence, at: instant(sequence), kind: 'attempt', detail },
    seal: SEAL,
  };
}
