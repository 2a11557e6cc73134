import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AgentRecord } from '../contracts/agent.js';
import type { Coordinator } from '../contracts/coordinator.js';
import type { SessionProof } from '../contracts/session.js';
import type { Snapshot } from '../contracts/snapshot.js';
import type { Sight } from '../contracts/subscription.js';

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
interface KeyPrincipalsTable extends Spaced {
  principal: string;
  signs_in_by: 'key' | 'token' | 'nothing';
  /** Whether a key lets it answer, and the groups of those that do; null until an API has noted it. */
  answers: boolean | null;
  groups: ColumnType<readonly string[] | null, string | null, string | null>;
}

/** What a principal sees of events by one of its keys or tokens; null for nothing. */
interface PrincipalSightsTable extends Spaced {
  principal: string;
  signs_in_by: 'key' | 'token';
  digest: string;
  sight: ColumnType<Sight | null, string | null, never>;
  until: string;
  noted_at: string;
}

/** What an agent was while it waited for an approval. */
export interface SnapshotsTable extends Spaced {
  hash: string;
  run_id: string;
  turn_index: number;
  saved_at: string;
  snapshot: ColumnType<Snapshot, string, never>;
}

/** A person's session in a browser; its id is the hash of what the cookie holds. */
interface SessionsTable {
  id: string;
  space: string;
  principal: string;
  proof: ColumnType<SessionProof, string, string>;
  started_at: string;
  seen_at: string;
  expires_at: string;
  ended_at: ColumnType<string | null, never, string>;
}

/** A link that signs the holder of a key in once; its id is the hash of what the link holds. */
interface SignInLinksTable {
  id: string;
  key_digest: string;
  expires_at: string;
  used_at: ColumnType<string | null, never, string>;
}

/** Who can sign in, and who has. */
export interface SignInTables {
  key_principals: KeyPrincipalsTable;
  principal_sights: PrincipalSightsTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
}

export interface CoordinatorsTable extends Spaced {
  id: string;
  version: number;
  intent_id: string | null;
  portfolio_id: string | null;
  granted_at: string;
  creation_hash: string | null;
  record: ColumnType<Coordinator, string, string>;
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
}

/** Around what the graph has moved since it was counted how much waits for questions. */
export interface BlocksDueTable {
  position: GeneratedAlways<string>;
  kind: 'intent' | 'plan' | 'portfolio' | 'question';
  id: string;
}
