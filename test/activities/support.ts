import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Channel, OutgoingMessage } from '../../activities/channels/channel.js';
import type { DeliveryLog } from '../../activities/ports/upkeep.js';
import type { Reconciliation } from '../../activities/ports/reconciliation.js';
import type { ActivityStore } from '../../activities/ports/store.js';
import { serverConfigSchema, type ServerConfig } from '../../contracts/server/config.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { DeliveryReceipt, DeliveryTry } from '../../contracts/channel/notification.js';
import { viewOf } from '../../domain/suspension/record/view.js';

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
export function memoryStore(): Pick<
  ActivityStore,
  'writeRows' | 'findSuspension' | 'answeringByKey'
> & {
  rows: JournalRow[];
} {
  const rows: JournalRow[] = [];
  return {
    rows,
    answeringByKey: () => Promise.resolve(undefined),
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
export function environment(
  attempt = 1,
  info: { readonly heartbeatDetails?: unknown } = {},
): { env: MockActivityEnvironment; logged: LogEntry[] } {
  const logged: LogEntry[] = [];
  const logger = new DefaultLogger('INFO', (entry) => logged.push(entry));
  return { env: new MockActivityEnvironment({ attempt, ...info }, { logger }), logged };
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
    entities: {
      endedIn: none,
      openIn: none,
      stillOpen: async () => [],
      endOf: async () => undefined,
      end: async () => false,
    },
    forgotten: {
      settledIn: none,
      settledOf: async () => [],
      runningOf: async () => [],
      handIn: async () => false,
      contradicted: none,
    },
    endedIn: none,
    openIn: none,
    runningSince: none,
    notSettled: async () => [],
    notOpened: async () => [],
    notCreated: async () => [],
    intentsBehind: async () => [],
    lookUp: async () => undefined,
    progressOf: async () => undefined,
    askToWrite: async () => true,
    endOf: async () => undefined,
    writeRows: async () => undefined,
    tell: async () => undefined,
    isAway: () => false,
  };
}
