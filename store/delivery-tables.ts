import type { ColumnType, Generated } from 'kysely';
import type { DeliveryTry, TryFailure } from '../contracts/channel/notification.js';
import type { Spaced } from './columns.js';

/** Delivered messages, and what is still to be done about each. */
export interface DeliveriesTable extends Spaced {
  delivery_id: string;
  channel: string;
  reference: string | null;
  delivered_at: string;
  /** The principal of the recipient; null if the channel has one place for all. */
  person: string | null;
  /** The version of the question that the message shows; null if it needs no further update. */
  shows: number | null;
  /** Whether an update is due, how often it failed, how often it became due, and when to try again. */
  due: Generated<boolean>;
  follow_tries: Generated<number>;
  news: Generated<number>;
  follow_at: ColumnType<string | null, string | null | undefined, string | null>;
}

/** The result of each worker's last check of a channel's service. */
export interface ChannelChecksTable {
  channel: string;
  /** The process that checked. */
  worker: string;
  at: ColumnType<string, never, never>;
  /** Why it failed, as a code and as text; null if it did not. */
  outcome: TryFailure | null;
  reason: string | null;
}

/** Workflow runs that workers have set aside. */
interface RunsSetAsideTable {
  run_id: string;
  workflow_id: string;
  since: ColumnType<string, never, never>;
}

/** When a worker last looked at what all may look at. */
interface LooksTable {
  work: string;
  at: ColumnType<string, never, never>;
}

/** What workers note for each other and for the API, apart from deliveries. */
export interface WorkerTables {
  runs_set_aside: RunsSetAsideTable;
  looks: LooksTable;
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
