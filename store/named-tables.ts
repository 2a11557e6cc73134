import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AgentRecord } from '../contracts/agent.js';
import type { Snapshot } from '../contracts/snapshot.js';

/** A table that says of each row to which space it belongs; see `store/in-space.ts`. */
export interface Spaced {
  space: Generated<string>;
}

export interface AgentsTable extends Spaced {
  agent_id: string;
  record: ColumnType<AgentRecord, string, string>;
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
}

/** How a principal that ever had a key can sign in now. */
export interface KeyPrincipalsTable extends Spaced {
  principal: string;
  signs_in_by: 'key' | 'token' | 'nothing';
}

/** What an agent was while it waited for an approval. */
export interface SnapshotsTable extends Spaced {
  hash: string;
  run_id: string;
  turn_index: number;
  saved_at: string;
  snapshot: ColumnType<Snapshot, string, never>;
}
