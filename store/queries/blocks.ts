import { sql } from 'kysely';
import type { Reader } from '../../contracts/access.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { Blocked } from '../../contracts/suspension-view.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Store } from '../schema.js';
import { readableBy } from './access.js';
import { rowsOf } from './upsert.js';

/**
 * What waits for an open question, each below what it waits for, at most 100 things. Nothing waits for one that is settled. To a
 * reader whom access lists narrow, intents that it may not read are left out, with their tasks and plans.
 */
export async function listBlocked(
  db: Store,
  suspensionId: string,
  reader?: Reader,
): Promise<readonly Blocked[]> {
  const { rows } = await sql<Blocked>`
    select
      case when plans.record ->> 'workflow' is null then waiting.kind else 'workflow' end as kind,
      waiting.id, waiting.depth,
      coalesce(
        tasks.record ->> 'name', plans.record #>> '{workflow,title}', portfolios.record ->> 'name',
        intents.title, ''
      ) as title
    from suspensions question
    cross join lateral holdpoint_waits(
      question.id, question.intent_id, question.record #>> '{context,plan_id}', ${LIMITS.blocked}::integer
    ) waiting
    left join tasks on waiting.kind = 'task' and tasks.id = waiting.id
    left join plans on waiting.kind = 'plan' and plans.id = waiting.id
    left join portfolios on waiting.kind = 'portfolio' and portfolios.id = waiting.id
    left join intents on intents.id = case waiting.kind
      when 'task' then tasks.intent_id when 'plan' then plans.intent_id else waiting.id end
    where question.id = ${suspensionId} and question.state = 'pending'
      and (waiting.kind = 'portfolio' or ${readableBy(reader)})
    order by waiting.path`.execute(db);
  return rows;
}

/** The intents around which a batch has changed the graph: whatever they wait for may hold up more, or less. */
export function movedIn(rows: readonly JournalRow[]): readonly string[] {
  const intents = [
    ...rowsOf(rows, 'dependency').map(({ dependency_id }) => dependency_id),
    ...rowsOf(rows, 'portfolio_member').map(({ intent_id }) => intent_id),
    ...rowsOf(rows, 'task').map(({ task }) => task.intent_id),
    ...rowsOf(rows, 'intent').flatMap(({ intent }) =>
      isOver(intent.status) ? intent.depends_on : [],
    ),
  ];
  return [...new Set(intents)];
}

function isOver(status: string): boolean {
  return status === 'completed' || status === 'abandoned';
}

/**
 * Counts again what waits for the open questions of intents, and of all that these depend on. It is a transaction of its own:
 * nothing waits for it, and where it fails the question is counted when it changes next.
 */
export async function refreshBlocks(db: Store, intentIds: readonly string[]): Promise<void> {
  if (intentIds.length === 0) return;
  await sql`
    with recursive upstream (id) as (
      select unnest(${[...intentIds]}::text[])
      union
      select edge.dependency_id from upstream join dependencies edge on edge.intent_id = upstream.id
      where edge.present
    ), counted as (
      select question.id, holdpoint_blocks(
        question.id, question.intent_id, question.record #>> '{context,plan_id}'
      ) as blocks
      from suspensions question
      where question.intent_id in (select id from upstream) and question.state = 'pending'
    )
    update suspensions question set blocks = counted.blocks from counted
    where question.id = counted.id and question.blocks <> counted.blocks
      and question.state = 'pending'`.execute(db);
}
