import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ApprovalView, Proposal } from '../contracts/approval.js';
import type {
  ApprovalStatus,
  CheckpointStatus,
  RiskClass,
} from '../contracts/constants/approvals.js';
import type { JsonObject } from '../contracts/primitives.js';
import type { Spaced } from './named-tables.js';

/** Approvals; `record` is as the API gives them. */
export interface ApprovalsTable extends Spaced {
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
  /** Since when it is over, also for its agent; may be in the future. Null if that is not known. */
  ended_at: string | null;
  /** How far the agent has come back; null if it left no checkpoint. */
  checkpoint: CheckpointStatus | null;
  /** The question that is open. */
  suspension_id: string | null;
  /** The first version of what was proposed. */
  proposed: ColumnType<Proposal, string, string>;
  record: ColumnType<ApprovalView, string, string>;
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
}

/** What approvals left in the logs of runs: those without an intent, and those whose intent was closed before. */
export interface RunEventsTable extends Spaced {
  run_id: string;
  sequence: number;
  /** Under which it was appended, once. */
  key: string;
  id: string;
  event_type: string;
  actor: string;
  principal: string;
  payload: ColumnType<JsonObject, string, string>;
  payload_commitment: string;
  /** Null if the payload was erased. */
  payload_salt: string | null;
  created_at: string;
  previous_event_hash: string | null;
  event_hash: string;
  /** Its place in the order of all events; text, as the driver reads a bigint. */
  feed_position: Generated<string>;
  /** The name in which its approval was asked; null where nobody was asked, or that was not kept yet. */
  asked_as: string | null;
  /** Bytes of the payload. */
  bytes: GeneratedAlways<number>;
}

/** The runs of agents. */
export interface RunsTable extends Spaced {
  run_id: string;
  /** How its log ends, whether its last entry is there or not; 0 and null without a log. */
  last_sequence: Generated<number>;
  head_hash: string | null;
  /** The last entry that retention has removed, and its hash; 0 and null if it removed none. */
  removed_through: Generated<number>;
  removed_hash: string | null;
  /** When something was stored of it last. */
  last_at: string;
  /** Whether something may be left that retention has to remove. */
  kept: Generated<boolean>;
}
