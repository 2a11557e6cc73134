import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Channel, OutgoingMessage } from '../../activities/channels/channel.js';
import type { ActivityStore, DeliveryLog, Reconciliation } from '../../activities/dependencies.js';
import { serverConfigSchema } from '../../contracts/config.js';
import type { ServerConfig } from '../../contracts/config.js';
import type { JournalRow } from '../../contracts/journal.js';
import type {
  DeliveryReceipt,
  DeliveryTry,
  NotificationRequest,
} from '../../contracts/notification.js';
import { viewOf } from '../../domain/suspension/view.js';

export const SUSPENSION_ID = '5f0c8a52-6d0e-4d0e-9c4a-2f6a3b1c7d90';
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

/** A configuration as the file would give it. */
export function configWith(notifications: Record<string, unknown> = {}): ServerConfig {
  return serverConfigSchema.parse({ notifications });
}

export interface Delivered {
  readonly message: OutgoingMessage;
  readonly idempotencyKey: string;
}

/** A channel that keeps the messages that it gets, and those messages. */
export function recordingChannel(reference?: string): { channel: Channel; sent: Delivered[] } {
  const sent: Delivered[] = [];
  const channel: Channel = {
    async deliver(message, { idempotencyKey }) {
      sent.push({ message, idempotencyKey });
      return reference === undefined ? {} : { reference };
    },
  };
  return { channel, sent };
}

/** A delivery log in memory. */
export function memoryLog(): DeliveryLog & {
  entries: Map<string, DeliveryReceipt>;
  tries: DeliveryTry[];
} {
  const entries = new Map<string, DeliveryReceipt>();
  const tries: DeliveryTry[] = [];
  return {
    entries,
    tries,
    async find(deliveryId) {
      return entries.get(deliveryId);
    },
    async record(deliveryId, receipt) {
      entries.set(deliveryId, receipt);
    },
    async recordTry(tried) {
      tries.push(tried);
    },
  };
}

/** A store of openings in memory, and the rows that were written to it. */
export function memoryStore(): Pick<ActivityStore, 'writeRows' | 'findSuspension'> & {
  rows: JournalRow[];
} {
  const rows: JournalRow[] = [];
  return {
    rows,
    async writeRows(written) {
      rows.push(...written);
      return [];
    },
    async findSuspension(id) {
      const row = rows.find((one) => one.kind === 'suspension_opened' && one.record.id === id);
      if (row?.kind !== 'suspension_opened') return undefined;
      return viewOf({ intent_id: row.intent_id, record: row.record, attempt: 1 }, row, []);
    },
  };
}

/** An activity environment and what activities in it log. */
export function environment(attempt = 1): { env: MockActivityEnvironment; logged: LogEntry[] } {
  const logged: LogEntry[] = [];
  const logger = new DefaultLogger('INFO', (entry) => logged.push(entry));
  return { env: new MockActivityEnvironment({ attempt }, { logger }), logged };
}

/** A Temporal and a store without questions. */
export function noQuestions(): Reconciliation {
  async function* none() {
    // Nothing was asked.
  }
  return {
    approvals: {
      endedIn: none,
      openIn: none,
      notKnown: async () => [],
      notDecided: async () => [],
      endOf: async () => undefined,
      find: async () => undefined,
      withdrawQuestions: async () => undefined,
      writeRow: async () => undefined,
      note: async () => undefined,
    },
    endedIn: none,
    openIn: none,
    runningSince: none,
    notSettled: async () => [],
    notOpened: async () => [],
    notCreated: async () => [],
    intentsBehind: async () => [],
    lookUp: async () => undefined,
    askToWrite: async () => undefined,
    endOf: async () => undefined,
    writeRows: async () => undefined,
    tell: async () => undefined,
  };
}
