import type { Generated, GeneratedAlways } from 'kysely';
import type { ApprovalView, Proposal } from '../contracts/approval/approval.js';
import type {
  ApprovalStatus,
  CheckpointStatus,
  RiskClass,
} from '../contracts/constants/approvals.js';
import type { JsonObject } from '../contracts/kernel/primitives.js';
import type { Json, Recorded, Spaced } from './columns.js';

/** Approvals. */
export interface ApprovalsTable extends Spaced, Recorded<ApprovalView> {
  id: string;
  revision: number;
  run_id: string;
  intent_id: string | null;
  asked_by: string;
  on_behalf_of: string | null;
  status: ApprovalStatus;
  risk_class: RiskClass;
  created_at: string;
  resolved_at: string | null;
  /** When it is over for its agent too, which may be in the future; null if that is not known. */
  ended_at: string | null;
  /** The status of the agent's checkpoint; null without one. */
  checkpoint: CheckpointStatus | null;
  /** The question that is open. */
  suspension_id: string | null;
  /** The first version of the proposal. */
  proposed: Json<Proposal>;
}

/** The logs of runs: events of approvals that have no intent, or whose intent was already closed. */
export interface RunEventsTable extends Spaced {
  run_id: string;
  sequence: number;
  /** The idempotency key of the append. */
  key: string;
  id: string;
  event_type: string;
  actor: string;
  principal: string;
  payload: Json<JsonObject>;
  payload_commitment: string;
  /** Null if the payload was erased. */
  payload_salt: string | null;
  created_at: string;
  previous_event_hash: string | null;
  event_hash: string;
  /** Its position in the feed; the driver reads a bigint as text. */
  feed_position: Generated<string>;
  /** The agent in whose name the approval was requested; null if nobody was asked. */
  asked_as: string | null;
  /** Bytes of the payload. */
  bytes: GeneratedAlways<number>;
}

/** The runs of agents. */
export interface RunsTable extends Spaced {
  run_id: string;
  /** The end of its log, even if that entry was removed; 0 and null without a log. */
  last_sequence: Generated<number>;
  head_hash: string | null;
  /** The last entry that retention has removed, and its hash; 0 and null if it removed none. */
  removed_through: Generated<number>;
  removed_hash: string | null;
  /** The last time that something of it was stored. */
  last_at: string;
  /** Whether retention may still have something to remove. */
  kept: Generated<boolean>;
}
