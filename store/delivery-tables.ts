import type { ColumnType, Generated } from 'kysely';
import type { DeliveryTry, TryFailure } from '../contracts/notification.js';
import type { Spaced } from './named-tables.js';

/** What was delivered, and what is to be told of it later. */
export interface DeliveriesTable extends Spaced {
  delivery_id: string;
  channel: string;
  reference: string | null;
  delivered_at: string;
  /** The principal of the person that it went to; null where a channel has one place for all. */
  person: string | null;
  /** The version of the question that the message shows; null if nothing more is to be told of it. */
  shows: number | null;
  /** Whether there is something to tell, how often that failed, and when it may be tried again. */
  due: Generated<boolean>;
  follow_tries: Generated<number>;
  news: Generated<number>;
  follow_at: ColumnType<string | null, string | null | undefined, string | null>;
}

/** What the service of a channel said when a worker last asked it. */
export interface ChannelChecksTable {
  channel: string;
  /** The process that asked. */
  worker: string;
  at: ColumnType<string, never, never>;
  /** Why it failed, in a word and in words; null if it did not. */
  outcome: TryFailure | null;
  reason: string | null;
}

/** The runs of workflows that workers have set aside. */
export interface RunsSetAsideTable {
  run_id: string;
  workflow_id: string;
  since: ColumnType<string, never, never>;
}

/** Every try of a delivery. */
export interface DeliveryTriesTable extends Spaced {
  delivery_id: string;
  at: string;
  try_number: number;
  channel: string;
  outcome: DeliveryTry['outcome'];
  status_code: number | null;
  duration_ms: number;
}
