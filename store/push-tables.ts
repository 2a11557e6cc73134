import type { ColumnType, Generated } from 'kysely';
import type { Caller } from '../contracts/people/caller.js';
import type { PushTarget } from '../contracts/people/push.js';
import type { QuietHours } from '../contracts/people/quiet-hours.js';
import type { Json } from './columns.js';

/** Browsers that are told of questions, each of one session. */
interface PushSubscriptionsTable extends PushTarget {
  session_id: string;
  space: string;
  caller: Json<Caller>;
  noted_at: string;
  /** When to send next; null if nothing waits. */
  send_at: ColumnType<string | null, never, string | null>;
  /** How often sending failed since it last succeeded. */
  tries: Generated<number>;
}

/** The open questions that a browser was told of, or is to be. */
interface PushesTable {
  session_id: string;
  suspension_id: string;
  /** Grows with each attempt, and with a delegation to this person. */
  mark: number;
  due: boolean;
}

/** Questions that came, or came again. */
interface PushNewsTable {
  suspension_id: string;
  space: string;
  at: Generated<string>;
}

interface QuietHoursTable {
  space: string;
  principal: string;
  hours: Json<QuietHours>;
}

/** What browsers are told of, and when not. */
export interface PushTables {
  push_subscriptions: PushSubscriptionsTable;
  pushes: PushesTable;
  push_news: PushNewsTable;
  quiet_hours: QuietHoursTable;
}
