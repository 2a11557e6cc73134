import { z } from 'zod';
import { proposalHashSchema, proposalSchema } from './approval.js';
import { SNAPSHOT_VERSION } from '../constants/approvals.js';
import { LIMITS } from '../constants/limits.js';
import { jsonValueSchema, nameSchema } from '../kernel/primitives.js';

/** The state of an agent while it waits (A54-14). It is data only (JC-60, JC-61): Temporal recovers the agent itself. */
export const snapshotSchema = z.object({
  schema_version: z.literal(SNAPSHOT_VERSION),
  status: z.literal('hibernated'),
  agent: nameSchema,
  run_id: nameSchema,
  turn_index: z.int().min(0),
  event_position: z.int().min(0).describe("Events in the history of the agent's workflow."),
  working_memory: jsonValueSchema.describe('What the agent gave, such as its messages.'),
  proposals: z.array(proposalSchema).max(LIMITS.proposedCalls).readonly(),
});
export type Snapshot = Readonly<z.output<typeof snapshotSchema>>;

/** A snapshot as it is stored: its hash covers all of it. */
export const storedSnapshotSchema = z.object({
  snapshot: snapshotSchema,
  hash: proposalHashSchema,
});
export type StoredSnapshot = Readonly<z.output<typeof storedSnapshotSchema>>;

/** The values that a workflow needs to ask its approvals, and cannot make deterministically. */
export interface SavedSnapshot {
  /** When it was first stored (ISO-8601), which counts as the instant of the questions. */
  readonly saved_at: string;
  /** The random key from which the salts of their logs are derived; made outside the workflow. */
  readonly log_key: string;
  /** Set by workers that record what an agent finds right before a call is to run. */
  readonly notes_mutations?: true;
}
