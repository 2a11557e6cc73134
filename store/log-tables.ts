import type { Generated } from 'kysely';
import type { Checkpoint, LogKind } from '../contracts/checkpoint.js';
import type { JournalRow } from '../contracts/journal.js';

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
export interface JournalQuarantineTable {
  id: string;
  kind: JournalRow['kind'];
  intent_id: string | null;
  suspension_id: string | null;
  sequence: number | null;
  reason: string;
  /** The row, as the text of its JSON. */
  content: string;
  refused_at: Generated<string>;
}
