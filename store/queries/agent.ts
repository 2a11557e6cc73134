import type { AgentRecord } from '../../contracts/agent.js';
import type { Store } from '../schema.js';
import { toJsonText, toText } from '../column-values.js';

/** The agent, or undefined. */
export async function findAgent(db: Store, agentId: string): Promise<AgentRecord | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('record')
    .where('agent_id', '=', toText(agentId))
    .executeTakeFirst();
  return row?.record;
}

/** The agents, in the order of their ids. */
export async function listAgents(db: Store, limit: number): Promise<readonly AgentRecord[]> {
  const rows = await db
    .selectFrom('agents')
    .select('record')
    .orderBy('agent_id')
    .limit(limit)
    .execute();
  return rows.map(({ record }) => record);
}

/**
 * Changes an agent by a rule, one change after the other; does nothing where the rule returns undefined.
 * Two first registrations at the same time both count, and the later one stands.
 */
export async function changeAgent(
  db: Store,
  agentId: string,
  rule: (before: AgentRecord | undefined) => AgentRecord | undefined,
): Promise<AgentRecord | undefined> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('agents')
      .select('record')
      .where('agent_id', '=', toText(agentId))
      .forUpdate()
      .executeTakeFirst();
    const after = rule(found?.record);
    if (after === undefined) return undefined;
    const record = toJsonText(after);
    await transaction
      .insertInto('agents')
      .values({ agent_id: toText(agentId), record })
      .onConflict((conflict) => conflict.column('agent_id').doUpdateSet({ record }))
      .execute();
    return after;
  });
}
