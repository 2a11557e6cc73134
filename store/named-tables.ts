import type { ColumnType } from 'kysely';
import type { AgentRecord } from '../contracts/agent/agent.js';
import type { Coordinator } from '../contracts/coordinator/coordinator.js';
import type { SessionProof } from '../contracts/people/session.js';
import type { Snapshot } from '../contracts/approval/snapshot.js';
import type { SavedFilter } from '../contracts/suspension/personal.js';
import type { Sight } from '../contracts/subscription/subscription.js';
import type { Json, NullableJson, Recorded, Spaced } from './column-values.js';

export interface AgentsTable extends Spaced, Recorded<AgentRecord> {
  agent_id: string;
}

/** How each principal that ever had a key can sign in now. */
interface KeyPrincipalsTable extends Spaced {
  principal: string;
  signs_in_by: 'key' | 'token' | 'nothing';
  /** Whether one of its keys lets it answer, and the groups of those keys; null until an API has recorded it. */
  answers: boolean | null;
  groups: NullableJson<readonly string[]>;
}

/** The events that a principal may see by one of its keys or tokens; null for none. */
interface PrincipalSightsTable extends Spaced {
  principal: string;
  signs_in_by: 'key' | 'token';
  digest: string;
  sight: ColumnType<Sight | null, string | null, never>;
  until: string;
  noted_at: string;
}

export interface SavedViewsTable extends Spaced {
  principal: string;
  id: string;
  name: string;
  filter: Json<SavedFilter>;
  saved_at: string;
}

export interface SnapshotsTable extends Spaced {
  hash: string;
  run_id: string;
  turn_index: number;
  saved_at: string;
  snapshot: ColumnType<Snapshot, string, never>;
}

/** Sessions of people in browsers; the id is the hash of the cookie's value. */
interface SessionsTable {
  id: string;
  space: string;
  principal: string;
  proof: Json<SessionProof>;
  started_at: string;
  seen_at: string;
  expires_at: string;
  ended_at: ColumnType<string | null, never, string>;
}

/** Links that each sign the holder of a key in once; the id is the hash of the link's token. */
interface SignInLinksTable {
  id: string;
  key_digest: string;
  expires_at: string;
  used_at: ColumnType<string | null, never, string>;
}

export interface SignInTables {
  key_principals: KeyPrincipalsTable;
  principal_sights: PrincipalSightsTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
}

export interface CoordinatorsTable extends Spaced, Recorded<Coordinator> {
  id: string;
  version: number;
  intent_id: string | null;
  portfolio_id: string | null;
  granted_at: string;
  creation_hash: string | null;
}
