import type { AgentRecord } from '../../contracts/agent/agent.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Store } from '../schema.js';
import { wholeStore } from '../in-space.js';
import { toJsonText, toText } from '../column-values.js';
import { withinBytes } from './bounded.js';
import type { Part } from './bounded.js';

/** Returns the agent, or undefined. */
export async function findAgent(db: Store, agentId: string): Promise<AgentRecord | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('record')
    .where('agent_id', '=', toText(agentId))
    .executeTakeFirst();
  return row?.record;
}

/** Returns a page of agents, by id. */
export async function listAgents(db: Store, limit: number): Promise<Part<AgentRecord>> {
  const inOrder = db
    .selectFrom('agents')
    .select(['record', 'bytes'])
    .orderBy('agent_id')
    .limit(limit + 1);
  const { rows, more } = await withinBytes(db, inOrder, limit, LIMITS.wholePageBytes);
  return { rows: rows.map(({ record }) => record), more };
}

/**
 * Changes an agent by a rule, one change at a time; does nothing if the rule returns undefined. Of two simultaneous
 * first registrations the later one stands. The same id in another space belongs to another agent.
 */
export async function changeAgent(
  db: Store,
  agentId: string,
  rule: (before: AgentRecord | undefined) => AgentRecord | undefined,
  space: string = DEFAULT_SPACE,
): Promise<AgentRecord | undefined> {
  return wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      const found = await transaction
        .selectFrom('agents')
        .select('record')
        .where('space', '=', space)
        .where('agent_id', '=', toText(agentId))
        .forUpdate()
        .executeTakeFirst();
      const after = rule(found?.record);
      if (after === undefined) return undefined;
      const record = toJsonText(after);
      await transaction
        .insertInto('agents')
        .values({ space, agent_id: toText(agentId), record })
        .onConflict((conflict) => conflict.columns(['space', 'agent_id']).doUpdateSet({ record }))
        .execute();
      return after;
    });
}
