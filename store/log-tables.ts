import type { Generated } from 'kysely';
import type { Checkpoint, LogKind } from '../contracts/log/checkpoint.js';
import type { WorkflowType } from '../contracts/constants/names.js';
import type { JournalRow } from '../contracts/log/journal.js';
import type { Spaced } from './columns.js';

/** Signed checkpoints, and where they have been delivered. */
export interface CheckpointsTable extends Checkpoint {
  /** When it was appended to the file, and when the webhook accepted it. */
  filed_at: string | null;
  posted_at: string | null;
}

/** The end of a log in a checkpoint, if it differs from the checkpoint before. */
export interface CheckpointLeavesTable {
  kind: LogKind;
  id: string;
  checkpoint: number;
  sequence: number;
  head_hash: string;
  removed: 'retention' | null;
}

/** Rows that the store refused permanently. */
export interface JournalQuarantineTable extends Spaced {
  id: string;
  kind: JournalRow['kind'];
  intent_id: string | null;
  suspension_id: string | null;
  approval_id: string | null;
  sequence: number | null;
  reason: string;
  /** The row, as the text of its JSON. */
  content: string;
  refused_at: Generated<string>;
}

/** Logs that retention has removed, or is about to remove. */
export interface RetentionTombstonesTable {
  kind: WorkflowType;
  id: string;
  /** The end of its log; null without a log. */
  last_sequence: number | null;
  head_hash: string | null;
  reason: 'retention';
  /** When it was marked for removal. */
  marked_at: string;
  /** When it was removed; null while all of it is still there. */
  removed_at: string | null;
  /** Whether its last row is gone. */
  swept: Generated<boolean>;
}

/** Erasures. `through_sequence` and `event_sequence` are numbers in the log of an intent. */
export interface ErasuresTable {
  kind: 'intent' | 'suspension' | 'approval';
  id: string;
  erased_at: string;
  erased_by: string;
  through_sequence: number | null;
  event_sequence: number | null;
}
