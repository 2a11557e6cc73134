import type { Generated } from 'kysely';
import type { Checkpoint, LogKind } from '../contracts/checkpoint.js';
import type { WorkflowType } from '../contracts/constants/names.js';
import type { JournalRow } from '../contracts/journal.js';
import type { Spaced } from './named-tables.js';

/** Signed checkpoints, and where they have been delivered. */
export interface CheckpointsTable extends Checkpoint {
  /** When it was appended to the file, and when the webhook took it. */
  filed_at: string | null;
  posted_at: string | null;
}

/** How a log ended in a checkpoint, unless that is as in the one before. */
export interface CheckpointLeavesTable {
  kind: LogKind;
  id: string;
  checkpoint: number;
  sequence: number;
  head_hash: string;
  removed: 'retention' | null;
}

/** Rows that the store refused for good. */
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

/** What retention has removed, or is about to. */
export interface RetentionTombstonesTable {
  kind: WorkflowType;
  id: string;
  /** How its log ended; null if it has none. */
  last_sequence: number | null;
  head_hash: string | null;
  reason: 'retention';
  /** Since when it is to be removed. */
  marked_at: string;
  /** Since when it counts as removed; null as long as all of it is still there. */
  removed_at: string | null;
  /** Whether no row of it is left. */
  swept: Generated<boolean>;
}
